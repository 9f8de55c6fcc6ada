import { classOf, DIGIT, LOWER, UPPER } from './characters.ts'

// Every expression here is sticky, has no nested quantifier and repeats nothing more than nine times: each try costs a
// bounded number of steps wherever it stands.

const weekday =
  '(?:Mon|Tue|Tues|Wed|Thu|Thur|Thurs|Fri|Sat|Sun|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday)'
const month =
  '(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Sept|Oct|Nov|Dec|January|February|March|April|June|July|August|September|October|November|December)'
const clock = '\\d{1,2}:\\d{2}(?::\\d{2}(?:[.,:]\\d{1,9})?)?(?: ?[AaPp][Mm])?'
const zone = '(?:Z|[+-]\\d{2}:?\\d{2}|UTC|GMT|[A-Z]{1,3}[SD]T|[WCE]ES?T)'
const clockAndZone = `(?:[ ,T:]{1,2}${clock})?(?: ?${zone})?`
// Not the first groups of an IPv6 address.
const end = '(?![A-Za-z0-9]|:[A-Fa-f0-9:])'

const forms: readonly string[] = [
  // 2026-12-01, 2026/12/01 10:20:30, 2026-12-01T10:20:30.123+09:00
  `\\d{4}[-/.]\\d{1,2}[-/.]\\d{1,2}${clockAndZone}`,
  // 20261201T102030Z
  '\\d{8}T\\d{4,6}(?:[.]\\d{1,9})?Z?',
  // 01/Dec/2026:10:20:30 +0900, 1 Dec 2026 10:20, 1-Dec-26
  `\\d{1,2}[-/ ]${month}[-/ ]\\d{2,4}${clockAndZone}`,
  // 1.12.2026, 12/1/2026, 12/1/26 10:20
  `\\d{1,2}(?:[-.]\\d{1,2}[-.]\\d{4}|/\\d{1,2}/\\d{2}(?:\\d{2})?)${clockAndZone}`,
  // 10:20:30, 10:20:30.123 UTC, 10:20 PM
  `\\d{1,2}:\\d{2}(?::\\d{2}(?:[.,:]\\d{1,9})?(?: ?[AaPp][Mm])?| ?[AaPp][Mm])(?: ?${zone})?`,
]
const numeric = new RegExp(`(?:${forms.join('|')})${end}`, 'y')

// Tue Dec 1 10:20:30 UTC 2026, Tuesday, December 1st, 2026, Tue, 01 Dec 2026 10:20:30 GMT, Dec  1 10:20:30
const named = new RegExp(
  `(?:${weekday},? {1,2})?(?:${month}[.]? {1,2}\\d{1,2}(?:st|nd|rd|th)?(?:,? {1,2}\\d{4})?|\\d{1,2} ${month} \\d{4})` +
    `${clockAndZone}(?: {1,2}\\d{4})?${end}`,
  'y',
)

const japaneseDate =
  /(?:\d{1,4}年(?!間)(?: ?\d{1,2}月)?(?: ?\d{1,2}日)?|\d{1,2}月 ?\d{1,2}日)(?: ?\d{1,2}[時:]\d{1,2}(?:[分:](?:\d{1,2}秒?)?)?)?|\d{1,2}時(?!間)(?:\d{1,2}分(?:\d{1,2}秒)?)?/y
const japaneseDuration =
  /\d{1,9}(?:[.]\d{1,9})?(?:ミリ秒|マイクロ秒|秒間?|分間?|時間|日間?|週間|(?:か|ヶ|ヵ|カ|ケ)月間?|年間)/y

/** The end of the date or time of day that starts with the digit at `at`, or 0. */
export function endOfDate(text: string, at: number): number {
  return endOf(numeric, text, at)
}

/** The end of the date that starts with the name of a weekday or a month at `at`, or 0. */
export function endOfNamedDate(text: string, at: number): number {
  return startsName(text, at) ? endOf(named, text, at) : 0
}

/** The end of the Japanese date or time of day that starts with the digit at `at`, or 0. */
export function endOfJapaneseDate(text: string, at: number): number {
  return endOf(japaneseDate, text, at)
}

/** The end of the Japanese duration that starts with the digit at `at`, or 0. */
export function endOfJapaneseDuration(text: string, at: number): number {
  return endOf(japaneseDuration, text, at)
}

function endOf(form: RegExp, text: string, at: number): number {
  form.lastIndex = at
  return form.test(text) ? form.lastIndex : 0
}

const startsOfNames = 'ADFJMNOSTW'

/** Cheap: most words that are no name of a day or month are told by three letters. */
function startsName(text: string, at: number): boolean {
  return (
    startsOfNames.includes(text.charAt(at)) &&
    classOf(text.charCodeAt(at + 1)) === LOWER &&
    classOf(text.charCodeAt(at + 2)) === LOWER
  )
}

/** Whether a number is worth a look for a date: it is followed by what dates go on with. */
export function mayBeDate(text: string, afterDigits: number): boolean {
  const next = text.charCodeAt(afterDigits)
  // - . / : T
  if (next === 45 || next === 46 || next === 47 || next === 58 || next === 84) return true
  if (next !== 32) return false
  const after = classOf(text.charCodeAt(afterDigits + 1))
  return after === UPPER && classOf(text.charCodeAt(afterDigits + 2)) !== DIGIT
}
