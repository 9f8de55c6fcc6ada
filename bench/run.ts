/** `npm run bench [section ...]`: measures, prints, and (when every section ran) writes bench/RESULTS.md. */
import { writeFileSync } from 'node:fs'
import { markdown, type Section } from './report.ts'

const sections: Readonly<Record<string, () => Promise<{ section(): Promise<Section> }>>> = {
  'claims-sqlite': () => import('./claims-sqlite.ts'),
  'claims-postgres': () => import('./claims-postgres.ts'),
  'claims-d1': () => import('./claims-d1.ts'),
  'liveness-check': () => import('./liveness-check.ts'),
  'liveness-beats': () => import('./liveness-beats.ts'),
  events: () => import('./events.ts'),
  fingerprints: () => import('./fingerprints.ts'),
}

const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !(name in sections))
if (unknown.length > 0) {
  console.error(`no section ${unknown.join(', ')}; there are: ${Object.keys(sections).join(', ')}`)
  process.exit(2)
}

const done: Section[] = []
for (const name of asked.length > 0 ? asked : Object.keys(sections)) {
  console.error(`measuring ${name} …`)
  const { section } = await sections[name]!()
  done.push(await section())
}
const report = markdown(done, 'npm run bench')
console.log(report)
if (asked.length === 0) writeFileSync(new URL('RESULTS.md', import.meta.url), report)
