import { buildZip } from '#test/fixtures/build-zip.ts';

/** The kinds of requests that a hostile caller sends, by what makes them heavy. */
export const hostileKinds = ['table', 'cell', 'rows', 'listing', 'texts'] as const;

export type HostileKind = (typeof hostileKinds)[number];

/** One request that is sent again and again, on so many connections. */
export interface HostileRequest {
  readonly path: string;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array<ArrayBuffer>;
  /** True if only administrators may send it. */
  readonly isForAdministrators?: boolean;
  readonly connections?: number;
}

/** The worst that is known of each kind. Each is as large as the service accepts. */
export function listHostileRequests(
  filesPath: string,
): Readonly<Record<HostileKind, readonly HostileRequest[]>> {
  return {
    table: [tryBatch(`a\n${'1\n'.repeat(2_499_000)}`)],
    cell: [tryBatch(`a\n"${'x'.repeat(9_900_000)}"\n`)],
    rows: ['/admin/quotas/', '/admin/accounts/'].flatMap((path) => [
      sendRows(path, 'text/csv', `user_id\n${'1\n'.repeat(490_000)}`),
      sendRows(path, 'text/csv', `user_id\n"${'""'.repeat(490_000)}"\n`),
      sendRows(path, 'text/csv', `user_id${',a'.repeat(400_000)}\n1\n`),
      sendRows(path, 'application/x-ndjson', '{}\n'.repeat(330_000)),
      sendRows(path, 'application/x-ndjson', nest(490_000)),
    ]),
    listing: [{ path: filesPath, connections: 3 }],
    texts: [
      sendJson('/webhooks/', nest(8_000)),
      sendJson('/uploads/', `{${'"a":1,'.repeat(2_500)}"b":1}`),
      { path: '/jobs/hpc_one/', method: 'POST', headers: { payload: nest(4_000) } },
      { path: `/jobs/?cursor=${'A'.repeat(8_000)}` },
      { path: `/quotas/hpc_one/proj_hpc_one_01/ledger/?cursor=${'%41'.repeat(2_500)}` },
    ],
  };
}

/** A batch that is only estimated. Its zip has some ten kilobytes, whatever its table has. */
function tryBatch(table: string): HostileRequest {
  const fields = { command: 'echo {a}', node_number: '1', core_number: '1', runtime: '0.01' };
  return {
    path: '/batches/hpc_one/?dry_run=true',
    method: 'POST',
    headers: {
      'content-type': 'application/zip',
      'content-disposition': 'attachment; filename=study.zip',
      payload: JSON.stringify({ ...fields, title: 'a study', table: 'params.csv' }),
    },
    body: buildZip([{ name: 'params.csv', content: table }]),
  };
}

function sendRows(path: string, type: string, text: string): HostileRequest {
  return {
    path: `${path}?dry_run=true&reason=a+bench`,
    method: 'POST',
    headers: { 'content-type': type },
    body: new TextEncoder().encode(text),
    isForAdministrators: true,
  };
}

function sendJson(path: string, text: string): HostileRequest {
  const headers = { 'content-type': 'application/json' };
  return { path, method: 'POST', headers, body: new TextEncoder().encode(text) };
}

/** A text of JSON that is nested so deep. */
function nest(depth: number): string {
  return `${'['.repeat(depth)}${']'.repeat(depth)}`;
}
