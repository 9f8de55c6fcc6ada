import assert from 'node:assert/strict'
import { test } from 'node:test'
import { post, type Send, seen, type Work, work } from './given.ts'

/** What every form of the middleware must do. `open` mounts it in front of the work at POST /orders and /refunds. */
export function idempotencySuite(
  name: string,
  open: (
    work: Work,
    options?: { required?: boolean; responseBytes?: number; requestBytes?: number },
  ) => Promise<{ send: Send; close?(): void }>,
): void {
  const each = (what: string, body: (given: { work: Work; send: Send }) => Promise<void>, options = {}) =>
    test(`${name}: ${what}`, async () => {
      const given = work()
      const { send, close } = await open(given, options)
      try {
        await body({ work: given, send })
      } finally {
        close?.()
      }
    })

  each('the second request is given the first one’s response, headers and all', async ({ work, send }) => {
    const first = await send(post('/orders', { a: 1 }))
    assert.deepEqual(await seen(first), [201, { order: 1 }, null])
    const second = await send(post('/orders', { a: 1 }))
    assert.equal(second.headers.get('location'), '/orders/1')
    assert.match(second.headers.get('content-type') ?? '', /^application\/json/)
    assert.deepEqual(await seen(second), [201, { order: 1 }, 'true'])
    assert.equal(work.calls, 1)
  })

  each('without a key, or with one that cannot be read: 400', async ({ work, send }) => {
    assert.deepEqual(await seen(await send(post('/orders', {}, {}))), [
      400,
      'Idempotency-Key is missing',
      null,
    ])
    for (const key of ['"', '""', '"a', 'a"b', 'x'.repeat(256)]) {
      const answer = await seen(await send(post('/orders', {}, { 'idempotency-key': key })))
      assert.deepEqual(answer, [400, 'Idempotency-Key cannot be read', null], key)
    }
    assert.equal(work.calls, 0)
  })

  each(
    'where no key is required, a request without one passes each time',
    async ({ work, send }) => {
      for (const order of [1, 2]) {
        assert.deepEqual(await seen(await send(post('/orders', {}, {}))), [201, { order }, null])
      }
      assert.equal(work.calls, 2)
    },
    { required: false },
  )

  each('while the first is in progress: 409 and when to ask again', async ({ work, send }) => {
    let end = () => {}
    const begun = new Promise<void>((begin) => {
      work.next = async () => {
        begin()
        await new Promise<void>((resolve) => {
          end = resolve
        })
        return { status: 200, body: '"slow"' }
      }
    })
    const first = send(post('/orders', { a: 1 }))
    await begun
    const second = await send(post('/orders', { a: 1 }))
    assert.equal(second.headers.get('retry-after'), '10')
    assert.equal(second.headers.get('content-type'), 'application/problem+json')
    assert.deepEqual(await seen(second), [409, 'A request with this Idempotency-Key is in progress', null])
    end()
    assert.equal((await first).status, 200)
    assert.deepEqual(await seen(await send(post('/orders', { a: 1 }))), [200, 'slow', 'true'])
    assert.equal(work.calls, 1)
  })

  each('the key with another body, or another query: 422', async ({ work, send }) => {
    await send(post('/orders', { a: 1 }))
    for (const [path, body] of [
      ['/orders', { a: 2 }],
      ['/orders?dry=1', { a: 1 }],
    ] as const) {
      const answer = await seen(await send(post(path, body)))
      assert.deepEqual(answer, [422, 'Idempotency-Key is already used', null])
    }
    assert.equal(work.calls, 1)
  })

  each('two users, two routes, two keys never meet', async ({ work, send }) => {
    const others = [
      post('/orders', { a: 1 }, { 'idempotency-key': 'key-1', 'x-user': 'ben' }),
      post('/refunds', { a: 1 }, { 'idempotency-key': 'key-1' }),
      post('/orders', { a: 1 }, { 'idempotency-key': 'key-2' }),
      post('/orders', { a: 1 }, { 'idempotency-key': 'key-1' }),
    ]
    for (const request of others) assert.deepEqual((await seen(await send(request)))[2], null)
    assert.equal(work.calls, 4)
    assert.equal((await seen(await send(post('/orders', { a: 1 }))))[2], 'true', 'quoted or not is one key')
  })

  each(
    'a server error and a refusal for now are sent and not kept; a client error is kept',
    async ({ work, send }) => {
      for (const status of [500, 503, 429, 409, 401]) {
        work.next = async () => ({ status, body: '"try again"' })
        assert.deepEqual(await seen(await send(post('/orders', { a: 1 }))), [status, 'try again', null])
      }
      work.next = async () => ({ status: 404, body: '"no such item"' })
      for (const replayed of [null, 'true']) {
        assert.deepEqual(await seen(await send(post('/orders', { a: 1 }))), [404, 'no such item', replayed])
      }
      assert.equal(work.calls, 6)
    },
  )

  each('a handler that throws frees the key', async ({ work, send }) => {
    work.next = () => Promise.reject(new Error('no'))
    assert.equal(
      await send(post('/orders', { a: 1 })).then(
        ({ status }) => status,
        () => 500,
      ),
      500,
    )
    work.next = async () => ({ status: 200, body: '"fine"' })
    assert.deepEqual(await seen(await send(post('/orders', { a: 1 }))), [200, 'fine', null])
  })

  each('cookies are never kept, nor are bytes changed', async ({ work, send }) => {
    work.next = async () => ({ status: 200, body: 'é\u0000日本', headers: { 'set-cookie': 'session=1' } })
    const first = await send(post('/orders', {}))
    assert.equal(first.headers.get('set-cookie'), 'session=1')
    assert.equal(await first.text(), 'é\u0000日本')
    const second = await send(post('/orders', {}))
    assert.equal(second.headers.get('set-cookie'), null)
    assert.equal(await second.text(), 'é\u0000日本')
  })

  each(
    'a response that is too long is sent once, and then said to be gone',
    async ({ work, send }) => {
      work.next = async () => ({ status: 200, body: 'x'.repeat(5000) })
      assert.equal((await (await send(post('/orders', {}))).text()).length, 5000)
      assert.deepEqual((await seen(await send(post('/orders', {})))).slice(0, 2), [
        409,
        'The response was not kept',
      ])
      assert.equal(work.calls, 1)
    },
    { responseBytes: 100 },
  )

  each(
    'a request that is too long: 413',
    async ({ work, send }) => {
      const answer = await seen(await send(post('/orders', { text: 'x'.repeat(500) })))
      assert.deepEqual(answer, [413, 'The request is too long', null])
      assert.equal(work.calls, 0)
    },
    { requestBytes: 100 },
  )

  each('an empty response is replayed as one', async ({ work, send }) => {
    work.next = async () => ({ status: 204, body: '' })
    for (const replayed of [null, 'true']) {
      assert.deepEqual(await seen(await send(post('/orders', {}))), [204, '', replayed])
    }
  })
}
