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
