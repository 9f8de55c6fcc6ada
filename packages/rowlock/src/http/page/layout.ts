import { html } from 'hono/html'

/** A piece of a page: text that has been escaped. */
export type Html = ReturnType<typeof html>

export function layout(title: string, content: Html): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<link rel="stylesheet" href="/style.css">
<link rel="icon" href="data:,">
</head>
<body>
${content}
</body>
</html>`
}

const pages = [
  ['/', 'Issues'],
  ['/devices', 'Devices'],
  ['/downtimes', 'Outages'],
  ['/checks', 'Checks'],
] as const

export interface Shell {
  readonly title: string
  /** Whose session it is. */
  readonly name: string
  readonly current: (typeof pages)[number][0]
  /** The id of the heading that keyboards may skip to. */
  readonly start: string
}

/** A page of somebody who has signed in. */
export function shell({ title, name, current, start }: Shell, content: Html): Html {
  const link = ([path, text]: (typeof pages)[number]) =>
    html`<a href="${path}"${path === current ? html` aria-current="page"` : ''}>${text}</a>`
  return layout(
    title,
    html`<a class="skip" href="#${start}">Skip to the content</a>
<header>
<h1>Rowlock</h1>
<nav aria-label="Pages">${pages.map(link)}</nav>
<span class="soft">signed in as ${name}</span>
<form class="inline" method="post" action="/sign-out"><button>Sign out</button></form>
</header>
<main>
${content}
</main>`,
  )
}

/** Links to the same list, filtered: all of it first. */
export function filterLinks(
  label: string,
  path: string,
  { words, current }: { readonly words: readonly string[]; readonly current: string | undefined },
): Html {
  const link = (word: string | undefined) =>
    html`<a href="${pageLink(path, { state: word })}"${word === current ? html` aria-current="page"` : ''}>${word ?? 'all'}</a>`
  return html`<nav aria-label="${label}">${link(undefined)}${words.map(link)}</nav>`
}

export function pageLink(path: string, fields: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(fields).filter((field): field is [string, string] => field[1] !== undefined)
  const query = new URLSearchParams(given).toString()
  return query === '' ? path : `${path}?${query}`
}

export function signInPage(problem?: string): Html {
  return layout(
    'Sign in · Rowlock',
    html`<main class="sign-in">
<h1>Rowlock</h1>
${problem === undefined ? '' : html`<p class="error" role="alert">${problem}</p>`}
<form method="post" action="/sign-in">
<label for="token">Token</label>
<input id="token" name="token" type="password" required autocomplete="current-password" autofocus spellcheck="false">
<button class="primary">Sign in</button>
</form>
<p class="soft">The hub printed the first token, or the path of the file that holds it, when it was started for the
first time. <code>rowlock token reset</code> makes a new one.</p>
</main>`,
  )
}

/** How long ago it was, in words, with the exact time behind it. */
export function ago(at: number, now: number): Html {
  const iso = new Date(at).toISOString()
  return html`<time datetime="${iso}" title="${iso}">${inWords(now - at)}</time>`
}

const units: readonly (readonly [ms: number, name: string])[] = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
  [1_000, 'second'],
]

function inWords(ms: number): string {
  for (const [length, name] of units) {
    const count = Math.floor(ms / length)
    if (count >= 1) return `${count} ${name}${count === 1 ? '' : 's'} ago`
  }
  return 'just now'
}
