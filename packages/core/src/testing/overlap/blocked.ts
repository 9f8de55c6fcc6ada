import type { OverlapClient } from './types.ts'

/** The number by which the server knows a connection. */
export async function backendOf(client: OverlapClient): Promise<number> {
  const { rows } = await client.query({ text: 'select pg_backend_pid() as pid', values: [] })
  return (rows[0] as { pid: number }).pid
}

/**
 * Whether each of these backends waits for a lock, and waits for nobody but participants: those move
 * only when they are told to, so the wait cannot end by itself.
 */
export async function allBlocked(
  onlooker: OverlapClient,
  backends: readonly number[],
  participants: readonly number[],
): Promise<boolean> {
  const text = `select bool_and(cardinality(blockers) > 0 and blockers <@ $2::int[]) as blocked
    from unnest($1::int[]) as pid, lateral (select pg_blocking_pids(pid) as blockers) as found`
  const { rows } = await onlooker.query({ text, values: [backends, participants] })
  return (rows[0] as { blocked: boolean }).blocked
}
