import { defineConfig } from 'tsdown'

export default defineConfig({
  entry: { cli: 'src/cli/main.ts', worker: 'src/worker.ts' },
  format: 'esm',
  platform: 'node',
  fixedExtension: false,
  target: 'node22',
  dts: false,
  clean: true,
  // The hub and the library are released together: the bundle carries its own copy of the library, from source.
  deps: { alwaysBundle: [/^@rowlock\/core/], onlyBundle: ['@rowlock/core'] },
  inputOptions: { resolve: { conditionNames: ['rowlock-source', 'node', 'import', 'default'] } },
})
