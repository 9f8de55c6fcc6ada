import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { readConfig } from '../../packages/rowlock/src/config/index.ts'
import { type RunningHub, startHub } from '../../packages/rowlock/src/node.ts'
import { testBrowser } from '../engines/chromium.ts'

/** The hub's page in a real browser, by keyboard alone, with the hub on a real file and port. */
let folder: string
let running: RunningHub
let browser: Browser
let token: string

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rowlock-browser-'))
  const { config } = readConfig({ flags: { port: '0', db: join(folder, 'hub.db') } })
  running = await startHub(config, { print: () => {}, isTerminal: false })
  token = (await readFile(join(folder, 'admin-token'), 'utf8')).trim()
  const project = await running.hub.projects.first('default', config.window)
  await running.hub.events.accept(project, [
    { source: 'shop', level: 'error', message: 'payment failed for order 17' },
    { source: 'shop', level: 'error', message: 'payment failed for order 18' },
    { source: 'web', level: 'error', message: '<img src=x onerror=alert(1)> is text' },
  ])
  await makeFleet(project.id)
  browser = await testBrowser()
})

/** One that failed, one that is well, one that was never heard of. */
async function makeFleet(project: number): Promise<void> {
  const { fleet } = running.hub
  const long = 'a name that is long enough to be broken on a phone, and then some'
  for (const id of ['tv-17', 'backup', 'gate']) {
    await fleet.writer.make(project, { id, name: `${id}: ${long}`, tags: ['floor-1'] })
  }
  for (const [id, end] of [
    ['tv-17', ''],
    ['backup', '/3'],
  ]) {
    const { uuid } = await fleet.devices.get(project, id!)
    await fetch(`${running.url}/ping/${uuid}${end}`, { method: 'POST', body: 'what it said' })
  }
  await fleet.checker.check()
}

after(async () => {
  await browser?.close()
  await running?.stop()
  await rm(folder, { recursive: true, force: true })
})

test('signing in, reading and resolving by keyboard alone', async () => {
  const page = await browser.newPage()
  const complaints = listen(page)
  await page.goto(running.url)
  await page.locator('#token:focus').waitFor()
  await page.keyboard.type(token)
  await page.keyboard.press('Enter')
  await page.waitForSelector('table')
  const rows = await page.locator('tbody tr').allInnerTexts()
  assert.equal(rows.filter((row) => row.includes('payment failed')).length, 1)
  assert.match(rows.find((row) => row.includes('payment failed')) ?? '', /\b2\b/)
  assert.ok(rows.some((row) => row.includes('<img src=x onerror=alert(1)>')))

  for (let presses = 0; (await focused(page)) !== 'resolve'; presses += 1) {
    assert.ok(presses < 60, 'no button "resolve" was reached with the Tab key')
    await page.keyboard.press('Tab')
  }
  await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')])
  await page.goto(`${running.url}/?state=resolved`)
  assert.equal(await page.locator('tbody tr').count(), 1)
  assert.deepEqual(complaints, [])
  await page.close()
})

test('on a phone nothing sticks out, and it is readable in light and dark', async () => {
  for (const colorScheme of ['light', 'dark'] as const) {
    const page = await browser.newPage({ viewport: { width: 360, height: 740 }, colorScheme })
    await page.goto(running.url)
    await page.fill('#token', token)
    await page.keyboard.press('Enter')
    await page.waitForSelector('table')
    const { width, contrast } = await page.evaluate(() => {
      const parts = (colour: string) => (colour.match(/[\d.]+/g) ?? []).slice(0, 3).map(Number)
      const light = (colour: string) => {
        const [red = 0, green = 0, blue = 0] = parts(colour).map((value) => {
          const share = value / 255
          return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
        })
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue
      }
      const style = getComputedStyle(document.body)
      const [dim = 0, bright = 0] = [light(style.color), light(style.backgroundColor)].sort((a, b) => a - b)
      return { width: document.documentElement.scrollWidth, contrast: (bright + 0.05) / (dim + 0.05) }
    })
    assert.ok(width <= 360, `${colorScheme}: the page is ${width} pixels wide`)
    for (const path of FLEET) {
      await page.goto(running.url + path)
      const wide = await page.evaluate(() => document.documentElement.scrollWidth)
      assert.ok(wide <= 360, `${colorScheme}: ${path} is ${wide} pixels wide`)
    }
    assert.ok(contrast >= 7, `${colorScheme}: the text's contrast is ${contrast.toFixed(1)}`)
    await page.close()
  }
})

const FLEET = ['/devices', '/devices/1/backup', '/downtimes', '/checks']

test('devices, outages and checks by keyboard alone', async () => {
  const page = await browser.newPage()
  const complaints = listen(page)
  await page.goto(`${running.url}/devices`)
  await page.fill('#token', token)
  await page.keyboard.press('Enter')
  await page.waitForSelector('nav')
  const reach = async (text: string) => {
    for (let presses = 0; !(await focused(page)).startsWith(text); presses += 1) {
      assert.ok(presses < 60, `"${text}" was not reached with the Tab key`)
      await page.keyboard.press('Tab')
    }
    await Promise.all([page.waitForNavigation(), page.keyboard.press('Enter')])
  }
  await reach('Devices')
  await reach('down')
  assert.equal(await page.locator('tbody tr').count(), 1)
  await reach('backup')
  assert.match(String(await page.locator('main').textContent()), /failed: exit status 3/)
  await reach('pause')
  assert.match(String(await page.locator('h2').first().textContent()), /paused/)
  await reach('Outages')
  assert.match(String(await page.locator('tbody tr').first().textContent()), /backup/)
  await reach('Checks')
  assert.deepEqual(complaints, [])
  await page.close()
})

/** What the browser complains of: errors of scripts, refused by the policy, not found. */
function listen(page: Page): string[] {
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text())
  })
  return complaints
}

async function focused(page: Page): Promise<string> {
  return page.evaluate(() => document.activeElement?.textContent?.trim() ?? '')
}
