import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Browser, chromium as playwright } from 'playwright-core'

/**
 * Starts the Chromium that npm brings. It is started without the flags its package proposes: those
 * switch web security off, and a test of cookies or cross-origin rules would mean nothing.
 */
export async function testBrowser(): Promise<Browser> {
  const folder = fileURLToPath(new URL('../node_modules/.cache/chromium', import.meta.url))
  await mkdir(folder, { recursive: true })
  // The package unpacks into the temporary folder, and brings its own system libraries only where
  // it believes to be on its home platform; both are said through the environment, at import.
  const before = {
    TMPDIR: process.env.TMPDIR,
    AWS_EXECUTION_ENV: process.env.AWS_EXECUTION_ENV,
    FONTCONFIG_PATH: process.env.FONTCONFIG_PATH,
  }
  process.env.TMPDIR = folder
  process.env.FONTCONFIG_PATH = await fonts(folder)
  process.env.AWS_EXECUTION_ENV = 'AWS_Lambda_nodejs22.x'
  try {
    const { default: packaged } = await import('@sparticuz/chromium')
    const executablePath = await packaged.executablePath()
    return await playwright.launch({
      executablePath,
      headless: true,
      args: ['--no-sandbox', '--no-zygote', '--disable-gpu'],
    })
  } finally {
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  }
}

/**
 * A configuration with fonts of our own, so that pages look the same everywhere. This Chromium ends
 * itself when no font has a character, such as the dot of a password field.
 */
async function fonts(folder: string): Promise<string> {
  const path = join(folder, 'fontconfig')
  const dejavu = fileURLToPath(new URL('../node_modules/dejavu-fonts-ttf/ttf', import.meta.url))
  await mkdir(path, { recursive: true })
  await writeFile(
    join(path, 'fonts.conf'),
    `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>${dejavu}</dir><cachedir>${path}</cachedir></fontconfig>`,
  )
  return path
}
