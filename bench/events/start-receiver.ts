import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import * as v from 'valibot';

const Body = v.object({ data: v.object({ job_id: v.string() }) });

export interface Receiver {
  readonly url: string;
  /** When the event of a job arrived; resolves when it has. */
  awaitJob(jobId: string): Promise<number>;
  close(): void;
}

/** A receiver of pushes that answers at once, and knows when it was told of which job. */
export async function startReceiver(): Promise<Receiver> {
  const arrivals = new Map<string, PromiseWithResolvers<number>>();
  const arrivalOf = (jobId: string): PromiseWithResolvers<number> => {
    const arrival = arrivals.get(jobId) ?? Promise.withResolvers<number>();
    arrivals.set(jobId, arrival);
    return arrival;
  };
  const server = createServer(async (request, response) => {
    const arrivedAt = performance.now();
    const { data } = v.parse(Body, await json(request));
    arrivalOf(data.job_id).resolve(arrivedAt);
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The receiver has no port.');
  return {
    url: `http://127.0.0.1:${address.port}/`,
    awaitJob: (jobId) => arrivalOf(jobId).promise,
    close: () => void server.close(),
  };
}
