/** The page's looks: the system's own fonts, light and dark, tables that become cards on a phone. */
export const style = `
:root {
  color-scheme: light dark;
  --ground: light-dark(#f7f7f4, #14161a); --sheet: light-dark(#fff, #1d2026); --ink: light-dark(#1d2126, #e8e9eb);
  --soft: light-dark(#5d6570, #a3abb6); --line: light-dark(#dfe1e4, #31363e); --accent: light-dark(#0b5cad, #7db7f5);
  --bad: light-dark(#b3261e, #ff8a80); --warn: light-dark(#8a5a00, #f0b95a); --good: light-dark(#1d6b38, #7fd19b);
}
* { box-sizing: border-box }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, sans-serif }
a { color: var(--accent) }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 4px }
.skip { position: absolute; left: -99rem } .skip:focus { left: 1rem; top: 1rem; background: var(--sheet); padding: .5rem }
header, main { max-width: 70rem; margin: 0 auto; padding: 0 1rem }
header { display: flex; flex-wrap: wrap; gap: .5rem 1.5rem; align-items: center; padding-top: 1rem }
header h1 { font-size: 1.25rem; margin: 0 } header nav { flex: 1; margin: 0 }
nav { display: flex; flex-wrap: wrap; gap: .25rem .5rem; margin: 1rem 0 }
nav a { padding: .4rem .8rem; border-radius: 99px; text-decoration: none; border: 1px solid var(--line) }
nav a[aria-current] { background: var(--accent); color: var(--sheet); border-color: var(--accent) }
section { margin: 0 0 2.5rem } h2 { font-size: 1.1rem; margin: 1.5rem 0 .5rem } h3 { font-size: 1rem; margin: 1rem 0 0 }
table { width: 100%; border-collapse: collapse; background: var(--sheet); border: 1px solid var(--line); border-radius: 8px }
th, td { text-align: left; padding: .6rem .75rem; vertical-align: top; border-top: 1px solid var(--line) }
thead th { font-size: .8rem; color: var(--soft); font-weight: 600; border-top: 0 }
td.title { max-width: 34rem; overflow-wrap: anywhere } td.actions, time { white-space: nowrap } td.number { text-align: right; font-variant-numeric: tabular-nums }
.soft, small { color: var(--soft); font-size: .875rem } .error { color: var(--bad) }
.state { font-size: .8rem; font-weight: 600; white-space: nowrap }
.state-open, .state-dead, .state-down { color: var(--bad) } .state-snoozed, .state-pending, .state-leased, .state-late { color: var(--warn) }
.state-resolved, .state-sent, .state-up { color: var(--good) } .state-ignored, .state-cancelled, .state-new, .state-paused, .state-ended { color: var(--soft) }
.level-fatal, .level-error { color: var(--bad) } .level-warning { color: var(--warn) }
form.inline { display: inline }
button, input { font: inherit; padding: .45rem .9rem; min-height: 2.5rem; border-radius: 6px; border: 1px solid var(--line); background: var(--sheet); color: var(--ink) }
button { cursor: pointer } button.primary { background: var(--accent); color: var(--sheet); border-color: var(--accent) }
form.inline button { padding: .2rem .6rem; min-height: 2rem; font-size: .875rem; margin: .1rem }
.sign-in { max-width: 26rem; margin: 10vh auto; padding: 1.5rem; background: var(--sheet); border: 1px solid var(--line); border-radius: 12px }
.sign-in label { display: block; margin: 1rem 0 .25rem } .sign-in input, .sign-in button { width: 100%; margin-bottom: .75rem }
pre { background: var(--sheet); border: 1px solid var(--line); border-radius: 8px; padding: 1rem; overflow-x: auto; margin: .5rem 0; font: .9rem/1.5 ui-monospace, monospace }
form.search { display: flex; flex-wrap: wrap; gap: .5rem; align-items: center }
dl.facts { display: flex; flex-wrap: wrap; gap: .5rem 2rem; margin: .5rem 0 } dl.facts dt { color: var(--soft); font-size: .8rem } dl.facts dd { margin: 0; overflow-wrap: anywhere }
ol.days { display: flex; flex-wrap: wrap; gap: 3px; list-style: none; padding: 0; margin: .5rem 0 }
ol.days li { width: 1.25rem; height: 1.75rem; border-radius: 3px; background: var(--line); overflow: hidden } ol.days span { position: absolute; left: -99rem }
ol.days .day-up { background: var(--good) } ol.days .day-part { background: var(--warn) } ol.days .day-down { background: var(--bad) }
.empty { background: var(--sheet); border: 1px dashed var(--line); border-radius: 8px; padding: 1.25rem }
@media (max-width: 44rem) {
  thead { position: absolute; left: -99rem } table, tbody, tr, td { display: block; border: 0 }
  table { background: none } tr { background: var(--sheet); border: 1px solid var(--line); border-radius: 8px; margin: 0 0 .75rem; padding: .5rem 0 }
  td { padding: .2rem .9rem } td.number { text-align: left } td[data-label]::before { content: attr(data-label) ': '; color: var(--soft); font-size: .8rem }
}
`
