import { availableParallelism, cpus, totalmem } from 'node:os'
import type { Figure } from './measure.ts'

/** One part of RESULTS.md: tables of figures, and the aims that they are held against. */
export interface Section {
  readonly title: string
  readonly note?: string
  readonly tables: readonly Table[]
  readonly aims: readonly Aim[]
}

export interface Table {
  readonly title: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** An aim and what was measured, in the same unit. */
export interface Aim {
  readonly what: string
  readonly aim: string
  readonly measured: string
  readonly met: boolean
}

export function figureTable(title: string, figures: readonly Figure[]): Table {
  return {
    title,
    columns: ['way', 'per second (median)', 'lowest', 'highest'],
    rows: figures.map(({ name, perSecond }) => [
      name,
      whole(perSecond.median),
      whole(perSecond.lowest),
      whole(perSecond.highest),
    ]),
  }
}

export function whole(value: number): string {
  return value < 10 ? value.toFixed(2) : Math.round(value).toLocaleString('en')
}

/** An aim of the form "at most". */
export function atMost(what: string, limit: number, measured: number, unit = 'x'): Aim {
  return {
    what,
    aim: `at most ${limit}${unit}`,
    measured: `${measured.toFixed(2)}${unit}`,
    met: measured <= limit,
  }
}

/** An aim of the form "at least". */
export function atLeast(what: string, limit: number, measured: number, unit = ''): Aim {
  const show = (value: number) => (value < 100 ? value.toFixed(2) : whole(value))
  return {
    what,
    aim: `at least ${show(limit)}${unit}`,
    measured: `${show(measured)}${unit}`,
    met: measured >= limit,
  }
}

/** The whole report as Markdown, with the machine's class and never its name. */
export function markdown(sections: readonly Section[], command: string): string {
  const machine = `${availableParallelism()} cores (${cpus()[0]?.model ?? 'unknown'}), ${Math.round(totalmem() / 2 ** 30)} GiB, Node ${process.versions.node}, ${process.platform}`
  return [
    '# Results',
    '',
    `Written by \`${command}\`. Machine class: ${machine}. Absolute figures move with the machine; the ratios were`,
    'measured side by side in one run, in turn.',
    '',
    ...sections.flatMap(sectionLines),
  ].join('\n')
}

function sectionLines(section: Section): string[] {
  return [
    `## ${section.title}`,
    '',
    ...(section.note === undefined ? [] : [section.note, '']),
    ...section.tables.flatMap(({ title, columns, rows }) => [
      `### ${title}`,
      '',
      ...tableLines(columns, rows),
      '',
    ]),
    ...(section.aims.length === 0
      ? []
      : [
          ...tableLines(
            ['aim', 'wanted', 'measured', 'met'],
            section.aims.map(({ what, aim, measured, met }) => [what, aim, measured, met ? 'yes' : '**no**']),
          ),
          '',
        ]),
  ]
}

function tableLines(columns: readonly string[], rows: readonly (readonly string[])[]): string[] {
  return [columns, columns.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`)
}
