import { build } from 'esbuild'
import { Miniflare } from 'miniflare'

/** A Worker inside Cloudflare's own runtime, with a D1 database bound as `DB`. */
export interface TestWorker {
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** The D1 binding as seen from here, through a proxy: right, but some 20 ms a statement. */
  database(): Promise<D1Binding>
  dispose(): Promise<void>
}

/** The few methods of a D1Database that the driver needs. */
export interface D1Binding {
  prepare(text: string): never
  batch(statements: never[]): Promise<never>
}

/**
 * Bundles a Worker's entry and starts it.
 *
 * @param entry path of the TypeScript file whose default export is the Worker.
 */
export async function testWorker(
  entry: string,
  options: { bindings?: Record<string, string>; nodejsCompat?: boolean } = {},
): Promise<TestWorker> {
  return start(await bundle(entry), options)
}

/** Only a D1 database, for use from Node. */
export async function testD1(): Promise<TestWorker> {
  return start('export default { fetch: () => new Response("ok") }', {})
}

async function bundle(entry: string): Promise<string> {
  const result = await build({
    entryPoints: [entry],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2024',
    conditions: ['rowlock-source', 'workerd', 'worker', 'browser'],
    external: ['cloudflare:*', 'node:*'],
    logLevel: 'silent',
  })
  const [file] = result.outputFiles
  if (file === undefined) throw new Error(`${entry} gave no bundle`)
  return file.text
}

async function start(
  script: string,
  options: { bindings?: Record<string, string>; nodejsCompat?: boolean },
): Promise<TestWorker> {
  const miniflare = new Miniflare({
    modules: true,
    script,
    compatibilityDate: '2026-07-01',
    compatibilityFlags: options.nodejsCompat === true ? ['nodejs_compat'] : [],
    d1Databases: { DB: 'rowlock-tests' },
    bindings: options.bindings ?? {},
  })
  await miniflare.ready
  return {
    fetch: (path, init) =>
      miniflare.dispatchFetch(`http://worker.test${path}`, init as never) as unknown as Promise<Response>,
    database: async () => (await miniflare.getD1Database('DB')) as unknown as D1Binding,
    dispose: () => miniflare.dispose(),
  }
}
