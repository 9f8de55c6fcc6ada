import worker, { type WorkerEnvironment } from '../../packages/rowlock/src/worker.ts'

/** The hub's Worker as it is deployed; `/__scheduled` stands for the clock that calls it every minute. */
export default {
  async fetch(
    request: Request,
    environment: WorkerEnvironment,
    context: Parameters<typeof worker.fetch>[2],
  ): Promise<Response> {
    if (new URL(request.url).pathname !== '/__scheduled')
      return await worker.fetch(request, environment, context)
    await worker.scheduled(undefined, environment)
    return new Response('done')
  },
}
