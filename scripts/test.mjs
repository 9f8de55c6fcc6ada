// npm test: installs what the tests need, then runs every check. `npm test -- --only tests packages/core/test/a.test.ts`.
import { join } from 'node:path'
import { become, installRoot, installTests, root } from './install.mjs'

installRoot()
installTests()
become(['--disable-warning=ExperimentalWarning', join(root, 'scripts/check.mjs'), ...process.argv.slice(2)])
