import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { maskMessage } from '../../src/events/fingerprint/index.ts'

/** Message, what it becomes. */
type Row = readonly [message: string, masked: string]

const tables: Readonly<Record<string, readonly Row[]>> = {
  'e-mail addresses': [
    ['mail to bob.smith+x@example.co.jp bounced', 'mail to <email> bounced'],
    ['root@localhost: no such mailbox', '<email>: no such mailbox'],
    ['lodash@4.17.21 is deprecated', 'lodash@<num> is deprecated'],
    ['org.acme.Bar@1b6d3586 not serializable', 'org.acme.Bar@<num> not serializable'],
  ],
  URLs: [
    ['GET https://example.com/a/1?b=2&c=3 failed', 'GET <url> failed'],
    ['see (http://10.0.0.1:80/x).', 'see (<url>).'],
    ['url:https://example.com', 'url:<url>'],
    ['jdbc:postgresql://db:5432/app refused', 'jdbc:<url> refused'],
    ['"https://a.example/x" is down', '<str> is down'],
  ],
  addresses: [
    ['connect ECONNREFUSED 127.0.0.1:5432', 'connect ECONNREFUSED <host>'],
    ['connect ECONNREFUSED db-1.internal:5432', 'connect ECONNREFUSED <host>'],
    ['connect ECONNREFUSED localhost:5432', 'connect ECONNREFUSED <host>'],
    ['route 10.0.0.0/24 lost', 'route <host> lost'],
    ['from /10.250.14.38:37362 to host-1/10.0.0.9:80', 'from <host> to <host>'],
    ['peer 2001:db8::1 left', 'peer <host> left'],
    ['peer fe80:0:0:0:1:2:3:4 left', 'peer <host> left'],
    ['peer ::ffff:10.0.0.1 left', 'peer <host> left'],
    ['from 10.0.0.7 (db.example.com) at', 'from <host> at'],
    ['from 10.0.0.7 () at', 'from <host> at'],
    ['connect from mail.example.com[10.0.0.7]:25', 'connect from <host>'],
    ['lookup of WWW.EXAMPLE.COM failed', 'lookup of <host> failed'],
    ['10.0.0.1 (timeout)', '<host> (timeout)'],
    // Names in code are no hosts.
    ['java.io.IOException: reset', 'java.io.IOException: reset'],
    ['com.example.app.Main failed', 'com.example.app.Main failed'],
    ['Abc::Def is private', 'Abc::Def is private'],
    ['index.js missing, jquery.min.js too', 'index.js missing, jquery.min.js too'],
  ],
  'UUIDs, hashes, hexadecimal numbers': [
    ['request 550e8400-e29b-41d4-a716-446655440000 lost', 'request <uuid> lost'],
    ['req-550E8400-E29B-41D4-A716-446655440000', 'req-<uuid>'],
    ['commit 3f2a9c1 by bob', 'commit <num> by bob'],
    ['digest d41d8cd98f00b204e9800998ecf8427e', 'digest <num>'],
    ['at 0x7ffeefbff5c8', 'at <num>'],
    ['RSA SHA256:2v8wS9o0pEQhJrUvXkbyeO3yLoLZAtY4Ou5gGJ4+gAk', 'RSA SHA256:<num>'],
    ['payload dGhpcyBpcyBhIHRlc3Q0MjM0Mg== rejected', 'payload <num> rejected'],
    ['added facade and decade', 'added facade and decade'],
  ],
  'dates and times': [
    ['at 2026-12-01T10:20:30.123Z', 'at <date>'],
    ['at 2026-12-01 10:20:30,123 +09:00', 'at <date>'],
    ['at 2026/12/01', 'at <date>'],
    ['at 01/Dec/2026:10:20:30 +0900', 'at <date>'],
    ['at Fri Jun 17 07:07:00 2005', 'at <date>'],
    ['at Tue, 01 Dec 2026 10:20:30 GMT', 'at <date>'],
    ['until December 1st, 2026', 'until <date>'],
    ['at 10:20:30', 'at <date>'],
    ['at 10:20 PM', 'at <date>'],
    ['at 20261201T102030Z', 'at <date>'],
    ['2026年12月1日 10時20分30秒に停止', '<date>に停止'],
    ['12月1日から', '<date>から'],
    ['may 5 of them fail', 'may <num> of them fail'],
    ['Sat down', 'Sat down'],
  ],
  'durations and sizes': [
    ['took 12ms', 'took <duration>'],
    ['took 1.5s', 'took <duration>'],
    ['took 1h30m12.5s', 'took <duration>'],
    ['took 1 second', 'took <duration>'],
    ['took 30 seconds', 'took <duration>'],
    ['took 500μs', 'took <duration>'],
    ['sleepTime=1000 MILLISECONDS', 'sleepTime=<duration>'],
    ['30秒待機、2時間後、3日間', '<duration>待機、<duration>後、<duration>'],
    ['sent 10MB of 1.5GiB, 512 bytes left', 'sent <size> of <size> left'],
    ['mode 5 msx', 'mode <num> msx'],
  ],
  paths: [
    ['open /var/log/app.log: no such file', 'open <path>: no such file'],
    ['open C:\\Users\\bob\\a.txt failed', 'open <path> failed'],
    ['in src/app/main.rs:12:5', 'in <path>'],
    ['file:/etc/app.conf missing', 'file:<path> missing'],
    ['GET /api/users/12?full=1 failed', 'GET <path> failed'],
    ['open /home/ユーザー/ファイル.txt', 'open <path>'],
    ['I/O error, and/or TCP/IP', 'I/O error, and/or TCP/IP'],
    ['type application/json', 'type application/json'],
  ],
  numbers: [
    ['child 6725 in slot 10', 'child <num> in slot <num>'],
    ['init 1 -2', 'init <num>'],
    ['linux-x86_64', 'linux-x86_<num>'],
    ['x=-5, y=+7', 'x=<num>, y=<num>'],
    ['ratio 1.0E-4 of 1,234.5', 'ratio <num> of <num>'],
    ['version 1.2.3', 'version <num>'],
    ['disk 91% full', 'disk <num>% full'],
    ['the 1st, 2nd and 3rd', 'the <num> and <num>'],
    ['ids 1, 2, 3 failed', 'ids <num> failed'],
    ['blk_-1608999687919862906 blk_17', 'blk_<num>'],
    ['attempt_1445144423722_0020_m_000001_0', 'attempt_<num>'],
    ['pod web-7f9c4b5d8-xkzpq', 'pod web-<num>'],
    ['pool-3-thread-12', 'pool-<num>-thread-<num>'],
    ['id a1b2c3d4e5', 'id <num>'],
  ],
}

for (const [name, rows] of Object.entries(tables)) {
  describe(name, () => {
    for (const [message, masked] of rows) {
      test(JSON.stringify(message), () => assert.equal(maskMessage(message), masked))
    }
  })
}

test('a token of more than 256 characters is data', () => {
  assert.equal(maskMessage(`body ${'abcd'.repeat(64)} end`), `body ${'abcd'.repeat(64)} end`)
  assert.equal(maskMessage(`body ${'abcd'.repeat(64)}e end`), 'body <data> end')
})
