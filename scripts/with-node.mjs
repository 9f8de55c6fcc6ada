// node scripts/with-node.mjs [--tests] FILE [ARG ...]: runs a file with our Node 24 and everything installed that it needs.
import { become, installRoot, installTests } from './install.mjs'

const argv = process.argv.slice(2)
const tests = argv[0] === '--tests'
if (tests) argv.shift()
installRoot()
if (tests) installTests()
become(['--conditions=rowlock-source', '--disable-warning=ExperimentalWarning', ...argv])
