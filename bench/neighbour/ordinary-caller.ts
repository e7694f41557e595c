import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeJob, type LaptopEdition } from '../measure/laptop-edition.ts';
import { explainFailure } from '../steady/ask.ts';
import { sendByClock } from '../steady/send-by-clock.ts';

/** One answered request of the ordinary caller. */
export interface Answer {
  readonly kind: string;
  /** From the moment at which it was to be sent to the last byte of the answer. */
  readonly ms: number;
  /** The status or the code of a failure; undefined if the answer was a success. */
  readonly failure?: string;
}

const perSecond = 20;
/** A blocked service must not hang the benchmark. */
const patienceMs = 60_000;

const zip = new Uint8Array(
  readFileSync(join(import.meta.dirname, '../../docs/examples/job_file.zip')),
);

const requests: readonly { readonly kind: string; readonly path: string; init?: RequestInit }[] = [
  { kind: 'GET /status/', path: '/status/' },
  // A page, because the list of all jobs grows from round to round.
  { kind: 'GET /jobs/', path: '/jobs/?limit=100' },
  { kind: 'GET /quotas/', path: '/quotas/' },
  {
    kind: 'POST /jobs/hpc_one/',
    path: '/jobs/hpc_one/',
    init: {
      method: 'POST',
      headers: { ...describeJob(), 'content-type': 'application/zip' },
      body: zip,
    },
  },
];

/** Sends each request five times a second, at planned moments. */
export async function callOrdinarily(
  { url, authorize }: Pick<LaptopEdition, 'url' | 'authorize'>,
  user: string,
  seconds: number,
): Promise<Answer[]> {
  const answers: Answer[] = [];
  await sendByClock({ perSecond, seconds }, async (turn, plannedAt) => {
    const request = requests[turn % requests.length];
    if (!request) return;
    const { kind, path, init } = request;
    const headers = { ...init?.headers, ...authorize(user) };
    const failure = await fetch(`${url}${path}`, {
      ...init,
      headers,
      signal: AbortSignal.timeout(patienceMs),
    }).then(
      async (answer) => {
        await answer.arrayBuffer();
        return answer.ok ? undefined : String(answer.status);
      },
      (error: unknown) => explainFailure(error),
    );
    const ms = performance.now() - plannedAt;
    answers.push({ kind, ms, ...(failure !== undefined && { failure }) });
  });
  return answers;
}
