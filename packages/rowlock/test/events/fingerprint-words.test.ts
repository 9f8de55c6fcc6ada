import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { maskMessage } from '../../src/events/fingerprint/index.ts'

/** Message, what it becomes. */
type Row = readonly [message: string, masked: string]

const tables: Readonly<Record<string, readonly Row[]>> = {
  'words stay': [
    ['user_not_found in getUserById', 'user_not_found in getUserById'],
    ['md5 sha256 utf8 IPv6 x86 int32', 'md5 sha256 utf8 IPv6 x86 int32'],
    ['Base64Decoder or Http2Server', 'Base<num>Decoder or Http<num>Server'],
    ["can't and couldn't", "can't and couldn't"],
    ['ORA-00942: table or view does not exist', 'ORA-00942: table or view does not exist'],
    ['error TS2345: no', 'error TS2345: no'],
    ['E11000 duplicate key', 'E11000 duplicate key'],
    ['SQLSTATE[23505]: unique', 'SQLSTATE[23505]: unique'],
    ['ORDER-1234 failed', 'ORDER-<num> failed'],
  ],
  'quoted values': [
    ["no device '/udev/vcs2'", 'no device <str>'],
    ['key "a \\" b" missing', 'key <str> missing'],
    ['table `orders` and “x” and «y»', 'table <str> and <str> and <str>'],
    ['「田中」さんのログインに失敗', '<str>さんのログインに失敗'],
    ["value b'\\x00' is no text", 'value b<str> is no text'],
    ["it's 'quoted' here", "it's <str> here"],
    ['dangling \' and " stay', 'dangling \' and " stay'],
    ['"the whole message 5"', '"the whole message <num>"'],
    ['level=error msg="disk 5 full"', 'level=error msg="disk <num> full"'],
    ['{"error":"timeout","host":"a"}', '{"error":"timeout","host":<str>}'],
  ],
  'keys that say who or where': [
    ['uid=0 ruser= rhost=a  user=root', 'uid=<value> ruser=<value> rhost=<value> user=<value>'],
    ['requestId=abc, state=failed', 'requestId=<value>, state=failed'],
    ['user="bob smith" result=denied', 'user=<value> result=denied'],
    ['valid=yes', 'valid=yes'],
    ['user= <value>月', 'user=<value> <value>月'],
  ],
  'names of users': [
    ['session closed for user cyrus', 'session closed for user <user>'],
    ['session opened for user root by (uid=0)', 'session opened for user <user> by (uid=<value>)'],
    ['Invalid user admin from 10.0.0.1', 'Invalid user <user> from <host>'],
    ['Invalid user 1234 from 10.0.0.1', 'Invalid user <user> from <host>'],
    ['Invalid user  from 10.0.0.1', 'Invalid user <user> from <host>'],
    ['invalid user pi [preauth]', 'invalid user <user> [preauth]'],
    ['Failed password for root from 10.0.0.1', 'Failed password for <user> from <host>'],
    ["denied for user 'bob'", 'denied for user <user>'],
    ['check pass; user unknown', 'check pass; user unknown'],
    ['No more user authentication methods', 'No more user authentication methods'],
    ['no settings for user account', 'no settings for user account'],
    ['waiting for reply from 10.0.0.1', 'waiting for reply from <host>'],
    ['invalid user input', 'invalid user input'],
  ],
  'full width and Japanese': [
    ['エラー１２３：接続失敗', 'エラー<num>:接続失敗'],
    ['注文ＸＹ１２３４の処理に失敗', '注文XY<num>の処理に失敗'],
    ['在庫が３件不足（残り：１０件）', '在庫が<num>件不足(残り:<num>件)'],
    ['サーバー192.168.0.1:80に接続できません', 'サーバー<host>に接続できません'],
    ['ｔａｒｏ＠ｅｘａｍｐｌｅ．ｃｏｍへ送信', '<email>へ送信'],
    ['ﾀｲﾑｱｳﾄしました', 'タイムアウトしました'],
    ['٣ errors, ३ warnings', '<num> errors, <num> warnings'],
  ],
  'one line': [
    ['first\nsecond', 'first'],
    ['\r\n\n  first\u2028second', 'first'],
    ['\u001b[31mred\u001b[0m  and\tblank ', 'red and blank'],
    ['nul\u0000 and \ud800 lone', 'nul and \ufffd lone'],
    ['*****  =======  .......', '*** === ...'],
    ['', ''],
    [' \n ', ''],
  ],
}

for (const [name, rows] of Object.entries(tables)) {
  describe(name, () => {
    for (const [message, masked] of rows) {
      test(JSON.stringify(message), () => assert.equal(maskMessage(message), masked))
    }
  })
}
