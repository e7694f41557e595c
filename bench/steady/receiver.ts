import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import * as v from 'valibot';
import { verifyWebhook } from '#client/src/verify-webhook.ts';
import { listenOnLoopback } from '#local/loopback/listen-on-loopback.ts';

export type Receiver = Awaited<ReturnType<typeof startReceiver>>;

const Body = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({ type: v.string(), data: v.object({ job_id: v.optional(v.string()) }) }),
);

/**
 * Starts the webhook receiver of all users. It verifies each push as its owner would, answers at
 * once, and remembers what has arrived.
 */
export async function startReceiver() {
  const secrets = new Map<string, string>();
  const arrived = new Set<string>();
  const lastEnded = new Map<string, string>();
  let forged = 0;
  const server = createServer(async (request, response) => {
    const user = (request.url ?? '').slice(1);
    const body = await text(request);
    const headers = new Headers(
      Object.entries(request.headers).map(([name, value]): [string, string] => [name, `${value}`]),
    );
    const secret = secrets.get(user);
    if (secret === undefined || !(await verifyWebhook(secret, headers, body))) {
      forged += 1;
      response.writeHead(400).end();
      return;
    }
    const id = headers.get('webhook-id') ?? '';
    const { type, data } = v.parse(Body, body);
    if (type === 'job.ended' && data.job_id !== undefined) lastEnded.set(user, data.job_id);
    arrived.add(id);
    response.end();
  });
  const { endpoint, close } = await listenOnLoopback(server, 0);
  return {
    addressFor: (user: string) => `${endpoint}/${user}`,
    expectSecret: (user: string, secret: string) => void secrets.set(user, secret),
    /** Returns the ids of all events that have arrived. */
    arrived: (): ReadonlySet<string> => arrived,
    lastEndedOf: (user: string) => lastEnded.get(user),
    /** Counts pushes with a wrong signature. */
    forged: () => forged,
    close,
  };
}
