import { writePath } from '../calls/call.ts';
import { send } from '../calls/send.ts';
import type { CallOptions, Settings } from '../calls/settings.ts';
import type { Operations } from '../generated/operations.ts';

/** Many things in one request: as objects, or as the text of a CSV file. */
export type Rows<Row> = (
  | { readonly rows: readonly Row[]; readonly csv?: undefined }
  | { readonly csv: string; readonly rows?: undefined }
) & {
  /** Of all rows that have none of their own. */
  readonly reason?: string;
  /** Only says what would be done. */
  readonly dry_run?: boolean;
};

export interface RowsOptions extends CallOptions {
  /** One is made where none is given: under one key each row is done once. */
  readonly idempotencyKey?: string;
}

interface Outcome {
  readonly outcome: string;
}

/**
 * What became of each row. Where the time of a request was too short for all of them, it is sent
 * again under its key and goes on, for as long as it gets any further.
 */
export async function sendRows<Done extends Outcome>(
  settings: Settings,
  path: string,
  { rows, csv, ...query }: Rows<unknown>,
  { idempotencyKey = crypto.randomUUID(), signal }: RowsOptions = {},
): Promise<Done[]> {
  let done: Done[] = [];
  for (;;) {
    const { body } = await send(settings, {
      method: 'POST',
      path: writePath(path, query),
      headers: {
        'content-type': rows ? 'application/x-ndjson' : 'text/csv',
        'idempotency-key': idempotencyKey,
      },
      body: rows ? rows.map((row) => JSON.stringify(row)).join('\n') : csv,
      signal,
      repeatable: true,
    });
    const answered: Done[] = JSON.parse(body);
    const before = done;
    done = answered.map((row, index) => chooseOutcome(before[index], row));
    const left = countLeft(done);
    if (left === 0 || left === countLeft(before)) return done;
  }
}

/** What was done the first time is only `unchanged` the second time. */
function chooseOutcome<Done extends Outcome>(before: Done | undefined, now: Done): Done {
  return before === undefined || before.outcome === 'not-done' ? now : before;
}

function countLeft(rows: readonly Outcome[]): number {
  return rows.filter(({ outcome }) => outcome === 'not-done').length;
}

type Grant = Parameters<Operations['grantQuota']>[0];

/** A grant among many. Its reason may be that of all of them. */
export type GrantRow = Omit<Grant, 'body'> &
  Omit<Grant['body'], 'reason'> & { readonly reason?: string };
