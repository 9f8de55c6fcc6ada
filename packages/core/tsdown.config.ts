import { defineConfig } from 'tsdown'

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    module: 'src/module.ts',
    claims: 'src/claims/index.ts',
    liveness: 'src/liveness/index.ts',
    outbox: 'src/outbox/index.ts',
    sqlite: 'src/drivers/sqlite.ts',
    d1: 'src/drivers/d1.ts',
    postgres: 'src/drivers/postgres.ts',
    kysely: 'src/drivers/kysely.ts',
    drizzle: 'src/drivers/drizzle.ts',
    fetch: 'src/middleware/fetch.ts',
    hono: 'src/middleware/hono.ts',
    express: 'src/middleware/express.ts',
    testing: 'src/testing/index.ts',
  },
  format: 'esm',
  platform: 'neutral',
  target: 'es2024',
  dts: true,
  clean: true,
})
