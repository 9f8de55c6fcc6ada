// The words that masks go by. They are the general words of logs in English; no word here belongs to one product's log,
// except where the list says so (error code families, technical words), and those only keep a token as it is.

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/))
}

/** Units of time written right behind a number. */
export const attachedDurations = words(
  'ns us μs µs ms msec msecs millis s sec secs second seconds m min mins minute minutes h hr hrs hour hours d day days w week weeks',
)

/** Units of time written as a word of their own. */
export const spacedDurations = words(
  `ns us μs ms nanosecond nanoseconds nanos microsecond microseconds usec usecs micros millisecond milliseconds msec
  msecs millis sec secs second seconds min mins minute minutes hr hrs hour hours day days week weeks month months year years`,
)

/** Units of data, lower case, attached or as a word of their own. */
export const sizeUnits = words('byte bytes kb mb gb tb pb kib mib gib tib pib')

/** Names in computing that have a digit in them and still are words; lower case. */
export const wordsWithDigits = words(
  `md5 sha1 sha2 sha3 sha224 sha256 sha384 sha512 crc32 base32 base58 base64 utf8 utf16 utf32 utf8mb3 utf8mb4 latin1 cp1252
  ipv4 ipv6 inet4 inet6 tcp4 tcp6 udp4 udp6 http1 http2 http3 h2 h2c h3 tls1 tls12 tls13 ssh1 ssh2 oauth1 oauth2 x509 pkcs1
  pkcs8 pkcs12 ed25519 x25519 p256 p384 p521 aes128 aes192 aes256 rc4 int8 int16 int32 int64 uint8 uint16 uint32 uint64 i8 i16
  i32 i64 u8 u16 u32 u64 f32 f64 float16 float32 float64 win32 win64 x86 x64 amd64 arm64 aarch64 mp3 mp4 h264 h265 log4j slf4j
  log4net i18n l10n k8s s3 ec2 r2 d1 e2e b2b p2p s2s v8 bzip2 gzip2 lz4 ext2 ext3 ext4 utf7 w3c web3 vue3 python2 python3 sqlite3`,
)

/** Ends of ordinals: 1st, 2nd, 3rd, 4th. */
export const ordinals = words('st nd rd th')

/** Last labels that make a dotted name of two labels or more a host. */
export const hostEndings = words(
  'com net org edu gov mil int info biz io dev app cloud arpa local localhost localdomain lan internal intranet corp home svc consul example invalid',
)

/** Last labels of two letters that are no country: `jquery.min.js` is a file. */
export const shortExtensions = words(
  'bz cc cp cs db ex fs go gz hh hs jl js kt mk ml mm md mo pb ph pl pm pp ps py rb rc rs sc sh so sv tf ts vb vm vs xz',
)

/** First labels of names that are written the other way round, such as `com.example.billing`. */
export const reverseDomains = words(
  'com org net edu gov io dev java javax jakarta sun jdk kotlin scala android androidx',
)

/** Keys whose value says who or where, not what: joined by `=`, compared without case and separators. */
export const identityKeys = words(
  `id ids uid euid gid egid pid tid sid ip ips mac port name host user email mail login account session token path file url uri href
  addr address peer client server owner src dst dest from to key uuid guid sha hash trace span node instance pod container`,
)

/** Ends of such keys: `rhost`, `remote_user`, `client-ip`. */
export const identityKeyEndings = [
  'host',
  'user',
  'username',
  'hostname',
  'filename',
  'logname',
  'nodename',
  'address',
  'addr',
  'email',
  'token',
  'path',
] as const

/** Last parts of such keys, behind a separator or a change of case: `request_id`, `traceId`. */
export const identityKeyParts = words(
  'id uid ip uuid guid url uri file port pid tid key hash sha account session',
)

/** Keys whose quoted value is the message itself: it is read on, not masked. */
export const messageKeys = words(
  'msg message error err reason cause detail details description title event level type status',
)

/** Families of error codes, which name a kind of trouble: ORA-00942, TS2345, E11000, HY000. */
export const errorCodeFamilies = words('ORA TNS PLS SQL DB E TS CS MSB NU AADSTS HY SP RUSTSEC')

/** Words that say that the next one is an error code. */
export const errorCodeHeralds = words('error err warning fatal code sqlstate exception')

/** Words for a user, in front of a name. */
export const userWords = words('user username account login')

/** `for user NAME`: the name may be the last word. */
export const userPrepositions = words('for by as')

/** `invalid user NAME from`, `invalid user NAME [`. */
export const userAdjectives = words('invalid illegal unknown bad nonexistent disabled locked')

/** `password for NAME from`: what somebody shows to be let in. */
export const credentialWords = words(
  'password passwords passphrase publickey key keys login logon logins authentication auth credentials certificate ticket',
)

/** Words that follow "user" without being a name. */
export const notNames = words(
  `a access account action agent and are authentication authorization cannot connected could created credentials data defined
  deleted details did disconnected does error exists experience failed for group groups had has id identifier in info
  information input interface is key kind level list location lock logged login logout lookup management mode model name names
  not object of on or password permission permissions preferences process profile profiles query record registration request
  requests response role roles service session sessions settings space state status store table to token tokens type unknown
  update updated was will with`,
)
