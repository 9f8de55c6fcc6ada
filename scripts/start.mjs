// npm start: installs, builds and serves the hub. `npm start -- --port 8080` passes flags on.
import { join } from 'node:path'
import { build } from './build.mjs'
import { become, installRoot, root } from './install.mjs'

installRoot()
build(['rowlock'])
// What a request needs lives for milliseconds. Left alone, Node's space for it grows until the hub takes
// a third more memory, and is not faster for it.
become([
  '--max-semi-space-size=4',
  join(root, 'packages/rowlock/bin/rowlock.js'),
  'serve',
  ...process.argv.slice(2),
])
