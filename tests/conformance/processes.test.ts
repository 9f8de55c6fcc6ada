import { after, test } from 'node:test'
import { conformance, suites } from '@rowlock/core/testing'
import { processEngine } from './process-engine.ts'

// What one connection can show has been shown on a file already; here the peers are the point.
const withPeers = suites.map((suite) => ({
  ...suite,
  cases: suite.cases.filter(({ needs = [] }) => needs.includes('peer')),
}))

const { engine, stop } = processEngine()
after(stop)
conformance(engine, { test, suites: withPeers })
