/** What a command's exit code says. Rowlock's own lie at 64 and above, out of the way of what `run` passes on. */
export const exits = {
  done: 0,
  failed: 1,
  usage: 64,
  missing: 66,
  unavailable: 69,
  internal: 70,
  lost: 75,
  denied: 77,
  schema: 78,
  notRunnable: 126,
  noProgram: 127,
  interrupted: 130,
} as const

/** The table of `--help` and the README. */
export const exitMeanings: readonly (readonly [code: string, meaning: string])[] = [
  ['0', 'done; for run also: somebody else holds the window (change it with --if-held)'],
  ['1', 'done, and the answer is bad news: events were rejected, doctor found trouble, a name is taken'],
  ['64', 'the command line or a value is wrong'],
  ['66', 'a file, or the thing that was named, does not exist'],
  ['69', 'the database or the hub could not be asked; run has then started nothing'],
  ['70', 'a mistake of ours'],
  ['75', 'run only: the claim was lost while the command ran, and the command was ended'],
  ['77', 'the token is missing, not known, or may not do this'],
  ['78', 'the tables are missing or of another version; see rowlock migrate'],
  ['126, 127', 'run only: the command cannot be run, or was not found'],
  ['128 + n', 'ended by signal n, such as 130 after Ctrl-C'],
]
