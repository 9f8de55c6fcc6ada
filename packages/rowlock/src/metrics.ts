/** Counters of this process, and the text in which Prometheus reads them. */
export interface Metrics {
  add(name: MetricName, count: number): void
  read(name: MetricName): number
}

/** Every counter, and what it counts. */
export const counters = {
  events_accepted_total: 'Events that were counted.',
  events_duplicate_total: 'Events whose id had been counted before.',
  events_refused_total: 'Events that were malformed, or that the database would not take.',
  events_shed_total: 'Requests that were turned away because too many events were waiting.',
  event_groups_total: 'Commits that events were written with.',
  windows_won_total: 'Windows that were won, each the start of work.',
  deliveries_sent_total: 'Deliveries that a destination took.',
  deliveries_failed_total: 'Attempts to deliver that failed and will be made again.',
  deliveries_dead_total: 'Deliveries that were given up.',
  pings_total: 'Requests to ping addresses that were taken.',
  beats_total: 'Beats that gateways sent and that were counted.',
  checks_total: 'Checks that this process made, one for each project.',
  check_opened_total: 'Outages that its checks opened.',
  check_closed_total: 'Outages that its checks closed.',
  check_alerts_total: 'Alerts that its checks queued.',
  check_raced_total: 'Devices that a beat or another check came before.',
  check_repaired_total: 'States and outages that its checks brought in line.',
  overdue_runs_total: 'Runs that began and did not end in time.',
} as const

export type MetricName = keyof typeof counters

export function createMetrics(): Metrics {
  const values = new Map<MetricName, number>()
  return {
    add(name, count) {
      if (count !== 0) values.set(name, (values.get(name) ?? 0) + count)
    },
    read: (name) => values.get(name) ?? 0,
  }
}

export interface Gauge {
  readonly name: string
  readonly help: string
  readonly value: number
  readonly labels?: Readonly<Record<string, string>>
}

/** The Prometheus text format, version 0.0.4. */
export function prometheusText(metrics: Metrics, gauges: readonly Gauge[]): string {
  const lines: string[] = []
  for (const name of Object.keys(counters) as MetricName[]) {
    lines.push(`# HELP rowlock_${name} ${counters[name]}`, `# TYPE rowlock_${name} counter`)
    lines.push(`rowlock_${name} ${metrics.read(name)}`)
  }
  let last = ''
  for (const { name, help, value, labels } of gauges) {
    if (name !== last) lines.push(`# HELP rowlock_${name} ${help}`, `# TYPE rowlock_${name} gauge`)
    last = name
    lines.push(`rowlock_${name}${labelText(labels)} ${value}`)
  }
  return `${lines.join('\n')}\n`
}

function labelText(labels: Readonly<Record<string, string>> | undefined): string {
  if (labels === undefined) return ''
  const pairs = Object.entries(labels).map(([name, value]) => `${name}=${JSON.stringify(value)}`)
  return `{${pairs.join(',')}}`
}
