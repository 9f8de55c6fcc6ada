import assert from 'node:assert/strict'
import { test } from 'node:test'
import { normaliseFilename } from '../../src/events/fingerprint/filenames.ts'
import { ownFrames } from '../../src/events/fingerprint/frames.ts'
import { normaliseFunction } from '../../src/events/fingerprint/functions.ts'

test('frames marked as own are taken, the one that threw first', () => {
  assert.deepEqual(
    ownFrames([
      { function: 'main', filename: 'src/main.ts', in_app: true },
      { function: 'run', filename: 'node_modules/x/run.js', in_app: false },
      { function: 'unmarked', filename: 'src/other.ts' },
      { function: 'charge', filename: 'src/cart.ts', in_app: true },
    ]),
    ['src/cart.ts#charge', 'src/main.ts#main'],
  )
})

test('no frame of our own: nothing', () => {
  assert.deepEqual(ownFrames([{ function: 'run', filename: 'a.js', in_app: false }]), [])
  assert.deepEqual(ownFrames([]), [])
  assert.deepEqual(ownFrames([null, {}, { in_app: true }]), [])
})

test('without marks, what looks like a library or a runtime is left out', () => {
  const own = ownFrames([
    { function: 'emit', filename: 'node:events' },
    { function: 'handle', filename: '/app/node_modules/hono/dist/hono.js' },
    { function: 'get', filename: '/usr/lib/python3.12/urllib/request.py' },
    { function: 'wsgi', filename: '/venv/lib/python3.12/site-packages/django/wsgi.py' },
    { function: 'invoke', module: 'java.lang.reflect.Method', filename: 'Method.java' },
    { function: 'doFilter', module: 'org.springframework.web.Filter' },
    { function: 'call', filename: '/home/ci/.cargo/registry/src/tokio/lib.rs' },
    { function: 'Serve', filename: '/go/pkg/mod/github.com/x/y@v1/z.go' },
    { function: 'charge', filename: '/app/billing/cart.py', module: 'billing.cart' },
  ])
  assert.deepEqual(own, ['billing.cart#charge'])
})

test('a mark as foreign holds even if no frame is marked as own', () => {
  assert.deepEqual(
    ownFrames([
      { function: 'a', filename: 'src/a.ts', in_app: false },
      { function: 'b', filename: 'src/b.ts', in_app: null },
    ]),
    ['src/b.ts#b'],
  )
})

test('line and column numbers do not count', () => {
  const frame = { function: 'f', filename: 'src/a.ts', in_app: true }
  const at = (lineno: number, colno: number) => ownFrames([{ ...frame, ...{ lineno, colno } }])
  assert.deepEqual(at(1, 2), at(300, 4))
})

test('a recursion is the same at any depth', () => {
  const deep = (depth: number) =>
    ownFrames([
      { function: 'main', module: 'app', in_app: true },
      ...Array.from({ length: depth }, (_, index) => ({
        function: index % 2 === 0 ? 'even' : 'odd',
        module: 'app',
        in_app: true,
      })),
    ])
  assert.deepEqual(deep(4), ['app#odd', 'app#even', 'app#main'])
  assert.deepEqual(deep(100), deep(4))
  assert.equal(deep(100_000).length, 2, 'only the innermost frames are looked at')
})

test('at most 32 different frames count', () => {
  const many = Array.from({ length: 100 }, (_, index) => ({
    function: `f${String.fromCharCode(97 + (index % 26))}${String.fromCharCode(97 + Math.floor(index / 26))}`,
    module: 'm',
    in_app: true,
  }))
  assert.equal(ownFrames(many).length, 32)
})

test('shortened names of a bundle do not count, whole ones do', () => {
  const bundle = 'https://cdn.example.com/assets/index-BfQ8a1xY.js'
  assert.deepEqual(ownFrames([{ function: 't', filename: bundle }]), [])
  assert.deepEqual(ownFrames([{ function: 'Xe', filename: 'app:///main.8f3a2b1c.js' }]), [])
  assert.deepEqual(ownFrames([{ function: 'a.b', filename: '/static/app.min.js' }]), [])
  assert.deepEqual(
    ownFrames([
      { function: 'checkout', filename: bundle },
      { function: 't', filename: bundle },
    ]),
    ['assets/index.js#', 'assets/index.js#checkout'],
  )
  // In a file of one's own a short name is a name.
  assert.deepEqual(ownFrames([{ function: 'go', filename: 'src/go.ts' }]), ['src/go.ts#go'])
})

test('file names are the same in the next build and on the next machine', () => {
  for (const [filename, normal] of [
    ['src/cart.ts', 'src/cart.ts'],
    ['/app/src/cart/total.ts', 'src/cart/total.ts'],
    ['https://cdn.example.com/assets/index-BfQ8a1xY.js?v=3#x', 'assets/index.js'],
    ['https://other.example/assets/index-Zk3Qp9aB.js', 'assets/index.js'],
    ['app:///static/js/main.8f3a2b1c.chunk.js', 'static/js/main.chunk.js'],
    ['webpack:///./src/cart.tsx', 'src/cart.tsx'],
    ['file:///home/bob/app/run.mjs', 'bob/app/run.mjs'],
    ['C:\\build\\1234\\src\\Cart.cs', '<num>/src/Cart.cs'],
    ['/srv/releases/20261201102030/billing/run.py', '<num>/billing/run.py'],
    ['/srv/3f2a9c1d/billing/run.py', '<num>/billing/run.py'],
    ['Cart.java', 'Cart.java'],
    ['src/sha256.ts', 'src/sha256.ts'],
    ['src/oauth2Client.ts', 'src/oauth2Client.ts'],
    ['src/http2-server.ts', 'src/http2-server.ts'],
    ['/static/vendors-legacy.min.js', 'static/vendors-legacy.min.js'],
    ['', ''],
  ] as const) {
    assert.equal(normaliseFilename(filename), normal, filename)
  }
})

test('functions lose what compilers put into their names', () => {
  for (const [name, normal] of [
    ['charge', 'charge'],
    ['async Cart.total [as sum]', 'Cart.total'],
    ['new Cart', 'Cart'],
    ['Object.<anonymous>', ''],
    ['<anonymous>', ''],
    ['?', ''],
    ['<lambda>', ''],
    ['<module>', '<module>'],
    ['lambda$run$12', 'lambda$run$<num>'],
    ['access$000', 'access$<num>'],
    ['sha256Hex', 'sha256Hex'],
    ['billing::charge::h1f0e2d3c4b5a6978', 'billing::charge'],
    ['total [clone .isra.0]', 'total'],
    ['Cart$$Lambda$14/0x0000000800c0', 'Cart'],
  ] as const) {
    assert.equal(normaliseFunction(name), normal, name)
  }
})

test('classes made by the JVM at run time are one class', () => {
  const frame = (module: string) => ownFrames([{ function: 'pay', module, in_app: true }])
  assert.deepEqual(frame('com.acme.Cart$$EnhancerBySpringCGLIB$$1a2b3c4d'), ['com.acme.Cart#pay'])
  assert.deepEqual(frame('com.sun.proxy.$Proxy42'), ['com.sun.proxy.$Proxy#pay'])
  assert.notDeepEqual(frame('com.acme.Sha256'), frame('com.acme.Sha512'))
})
