import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { test } from 'node:test'
import { LONGEST_LINE_BYTES, readLines } from '../../src/cli/ingest/lines.ts'

async function lines(chunks: readonly Buffer[]) {
  const all = []
  for await (const some of readLines(Readable.from(chunks))) all.push(...some)
  return all
}

test('wherever the chunks end, lines and their offsets are the same', async () => {
  const bytes = Buffer.from('\uFEFFone\r\n\nzwei ü 三\n\r\nlast')
  const whole = await lines([bytes])
  assert.deepEqual(
    whole.map(({ text }) => text),
    ['one', '', 'zwei ü 三', '', 'last'],
  )
  for (const { text, offset } of whole.slice(1)) {
    assert.equal(bytes.toString('utf8', offset, offset + Buffer.byteLength(text)), text)
  }
  for (let first = 0; first <= bytes.length; first++) {
    for (let second = first; second <= bytes.length; second++) {
      const chunks = [bytes.subarray(0, first), bytes.subarray(first, second), bytes.subarray(second)]
      assert.deepEqual(await lines(chunks), whole, `${first}, ${second}`)
    }
  }
})

test('of a line without end only its beginning is kept, and the next line stands where it stands', async () => {
  const long = Buffer.alloc(3 * LONGEST_LINE_BYTES, 'a')
  const [first, second] = await lines([long, long, Buffer.from('\nnext\n')])
  assert.equal(first?.text.length, LONGEST_LINE_BYTES)
  assert.deepEqual(second, { text: 'next', offset: 6 * LONGEST_LINE_BYTES + 1, number: 2 })
})

test('what is not UTF-8 is replaced and costs no neighbour', async () => {
  const found = await lines([Buffer.from([0x61, 0xff, 0x0a, 0x62, 0x0a])])
  assert.deepEqual(
    found.map(({ text }) => text),
    ['a\uFFFD', 'b'],
  )
})
