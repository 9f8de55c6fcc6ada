// npm start: installs, builds and serves the hub. `npm start -- --port 8080` passes flags on.
import { join } from 'node:path'
import { build } from './build.mjs'
import { become, installRoot, root } from './install.mjs'

installRoot()
build(['rowlock'])
become([join(root, 'packages/rowlock/bin/rowlock.js'), 'serve', ...process.argv.slice(2)])
