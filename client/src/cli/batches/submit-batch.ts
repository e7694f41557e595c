import { describeCut } from '../../format/jobs/describe-usage.ts';
import { describeWait } from '../../format/systems/describe-maintenance.ts';
import type { BatchEstimate, BatchSubmission } from '../../index.ts';
import { mostInBody } from '../../jobs/submit.ts';
import type { Session } from '../session/session.ts';
import { describeUnmatched } from '../submission/describe-unmatched.ts';
import {
  findTable,
  packTable,
  prepareInput,
  submitWithInput,
  type TableSource,
} from '../submission/prepare-input.ts';
import {
  confirmPrice,
  listFirst,
  reportSubmission,
  type SubmitWishes,
  showEstimate,
} from '../submission/price.ts';
import { CannotDo } from '../terminal/outcome.ts';
import { phrase } from '../words/phrase.ts';
import { downloadBatch } from './download-batch.ts';
import { waitForBatch } from './wait-batch.ts';

interface BatchWishes extends SubmitWishes {
  readonly count?: number | undefined;
  readonly table?: string | undefined;
  readonly maxRunning?: number | undefined;
  /** Whether names in braces that no column has stay as they are. */
  readonly allowUnmatched?: true | undefined;
}

/** Submits a batch: checks it and tells its price first, then packs and sends the input. */
export async function submitBatch(
  session: Session,
  submission: BatchSubmission,
  path: string | undefined,
  options: BatchWishes,
): Promise<void> {
  const { count, table: wanted, maxRunning, dryRun, yes, wait, download, onAccepted } = options;
  if (count !== undefined && wanted !== undefined) {
    throw new CannotDo(phrase('jobs.giveEitherCountOrTable'));
  }
  const table = wanted === undefined ? undefined : await findTable(path, wanted);
  const batch = { ...submission, count, table: table?.name, maxRunning };
  if (dryRun) {
    const price = await estimateWhole(session, batch, path, table);
    await showEstimate(session, batch, price, [
      ...describeCut(batch, price),
      ...describeWait(price),
      ...listFirst(session, price),
      ...(await describeUnmatched(price, { count, table })),
    ]);
    return onAccepted();
  }
  const price = await estimateBefore(session, batch, path, table);
  if (price && !options.allowUnmatched) {
    refuseUnmatched(await describeUnmatched(price, { count, table }));
  }
  if (price) session.screen.tell(...describeCut(submission, price));
  if (price && !session.json) session.screen.tell(...describeWait(price));
  if (!yes && price && !(await confirmPrice(session, batch, price))) return;
  const made = await submitWithInput(session, path, table, (given) =>
    session.client.submitBatch({ ...batch, ...given }),
  );
  const waits = wait === true || download !== undefined;
  const first = price ? listFirst(session, price) : [];
  await reportSubmission(session, made, made, { waits, first });
  onAccepted();
  if (!waits) return;
  const ended = await waitForBatch(session, made);
  if (download !== undefined) await downloadBatch(session, ended, download);
}

/**
 * Estimates before a folder is packed, so that a refusal comes at once. Returns undefined if the
 * table is in a zip that is too large for the question.
 */
async function estimateBefore(
  session: Session,
  batch: BatchSubmission,
  path: string | undefined,
  table: TableSource | undefined,
): Promise<BatchEstimate | undefined> {
  const { client } = session;
  if (!table) return client.estimateBatch(batch);
  if (table.path === undefined) {
    const { given, bytes } = await prepareInput(session, path);
    return bytes > mostInBody ? undefined : client.estimateBatch({ ...batch, ...given });
  }
  const packed = await packTable(table);
  try {
    return await client.estimateBatch({ ...batch, input: packed.blob });
  } finally {
    await packed.remove();
  }
}

/** Estimates with the whole input, so that its space is counted, if it fits into a request. */
async function estimateWhole(
  session: Session,
  batch: BatchSubmission,
  path: string | undefined,
  table: TableSource | undefined,
): Promise<BatchEstimate> {
  const { given, bytes, clear } = await prepareInput(session, path, table);
  const { onProgress: _, ...input } = given;
  try {
    if (bytes <= mostInBody) return await session.client.estimateBatch({ ...batch, ...input });
    const price = await estimateBefore(session, batch, path, table);
    if (price) return price;
    throw new CannotDo(phrase('jobs.theZipIsTooLarge'), {
      next: phrase('jobs.nameTheFolderInstead'),
    });
  } finally {
    session.screen.endProgress();
    await clear();
  }
}

/** A mistyped name would otherwise be run, and charged, once for each row. */
function refuseUnmatched(unmatched: readonly string[]): void {
  if (unmatched.length === 0) return;
  throw new CannotDo(unmatched.join(' '), { next: phrase('jobs.correctOrAllowThem') });
}
