import { writePath } from '../calls/call.ts';
import { parseList, send } from '../calls/send.ts';
import type { CallOptions, Settings } from '../calls/settings.ts';
import type { Operations } from '../generated/operations.ts';

/** Many rows in one request: as objects, or as CSV. */
export type Rows<Row> = (
  | { readonly rows: readonly Row[]; readonly csv?: undefined }
  | { readonly csv: string; readonly rows?: undefined }
) & {
  /** The reason of all rows without their own. */
  readonly reason?: string;
  /** Previews the outcome and changes nothing. */
  readonly dry_run?: boolean;
};

export interface RowsOptions extends CallOptions {
  /** Each row is done once under one key. Default: a random one. */
  readonly idempotencyKey?: string;
}

interface RowOutcome {
  readonly outcome: string;
}

/**
 * Sends rows and returns the outcome of each. If the time of a request was too short for all, sends
 * it again under its key, for as long as it makes progress.
 */
export async function sendRows<Done extends RowOutcome>(
  settings: Settings,
  path: string,
  { rows, csv, ...query }: Rows<unknown>,
  { idempotencyKey = crypto.randomUUID(), signal }: RowsOptions = {},
): Promise<Done[]> {
  let done: Done[] = [];
  for (;;) {
    const answer = await send(settings, {
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
    const answered = parseList<Done>(answer);
    const before = done;
    done = answered.map((row, index) => chooseOutcome(before[index], row));
    const left = countLeft(done);
    if (left === 0 || left === countLeft(before)) return done;
  }
}

/** Keeps the first outcome, because a row that was done is `unchanged` the second time. */
function chooseOutcome<Done extends RowOutcome>(before: Done | undefined, now: Done): Done {
  return before === undefined || before.outcome === 'not-done' ? now : before;
}

function countLeft(rows: readonly RowOutcome[]): number {
  return rows.filter(({ outcome }) => outcome === 'not-done').length;
}

type Grant = Parameters<Operations['grantQuota']>[0];

/** A grant in a list. Its reason may be that of the whole list. */
export type GrantRow = Omit<Grant, 'body'> &
  Omit<Grant['body'], 'reason'> & { readonly reason?: string };

/** An account among many. */
export type MappingRow = Omit<Parameters<Operations['mapAccount']>[0], 'body'> & {
  readonly account: string;
};
