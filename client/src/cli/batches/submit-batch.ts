import {
  type Charging,
  writeLeft,
  writeNodeTime,
  writeSize,
} from '../../format/amounts/amounts.ts';
import { describeCut } from '../../format/jobs/describe-usage.ts';
import { writeShortId } from '../../format/jobs/write-short-id.ts';
import { writeCount, writeNumber } from '../../format/numbers/write-number.ts';
import { describeWait } from '../../format/systems/describe-maintenance.ts';
import { type Batch, type BatchEstimate, type BatchSubmission, placeOf } from '../../index.ts';
import { mostInBody } from '../../jobs/submit.ts';
import { readCharging } from '../session/find.ts';
import { confirm, type Session } from '../session/session.ts';
import { describeUnmatched } from '../submission/describe-unmatched.ts';
import {
  findTable,
  packTable,
  prepareInput,
  submitWithInput,
  type TableSource,
} from '../submission/prepare-input.ts';
import { CannotDo } from '../terminal/outcome.ts';
import { cleanText, cutText, padText } from '../terminal/text.ts';
import { phrase } from '../words/phrase.ts';
import { downloadBatch } from './download-batch.ts';
import { waitForBatch } from './wait-batch.ts';

interface BatchOptions {
  readonly count?: number | undefined;
  readonly table?: string | undefined;
  readonly maxRunning?: number | undefined;
  /** Whether names in braces that no column has stay as they are. */
  readonly allowUnmatched?: true | undefined;
  readonly dryRun?: true | undefined;
  readonly yes?: true | undefined;
  readonly wait?: true | undefined;
  readonly download?: string | undefined;
  /** Called once the service has accepted the batch, or its dry run. */
  readonly onAccepted: () => void;
}

/** Submits a batch: checks it and tells its price first, then packs and sends the input. */
export async function submitBatch(
  session: Session,
  submission: BatchSubmission,
  path: string | undefined,
  options: BatchOptions,
): Promise<void> {
  const { count, table: wanted, maxRunning, dryRun, yes, wait, download, onAccepted } = options;
  if (count !== undefined && wanted !== undefined) {
    throw new CannotDo(phrase('jobs.giveEitherCountOrTable'));
  }
  const table = wanted === undefined ? undefined : await findTable(path, wanted);
  const batch = { ...submission, count, table: table?.name, maxRunning };
  if (dryRun) {
    const price = await estimateWhole(session, batch, path, table);
    await showEstimate(session, batch, price, await describeUnmatched(price, { count, table }));
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
  await reportBatch(session, made, { waits, price });
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

/** Asks before a batch reserves more than half of the remaining quota, or gets less time than asked. */
async function confirmPrice(
  session: Session,
  batch: BatchSubmission,
  price: BatchEstimate,
): Promise<boolean> {
  const { screen } = session;
  const { held, left, count } = price;
  const isMuch = held.time > left.time;
  if (!screen.isLive || !(isMuch || describeCut(batch, price).length > 0)) return true;
  if (isMuch) {
    const charging = await findCharging(session, batch.hpc);
    const before = writeNodeTime(held.time + left.time, charging);
    screen.tell(
      phrase('jobs.theseReserveOfYourRemaining', {
        jobs: writeCount(count, 'job'),
        time: writeNodeTime(held.time, charging),
        before,
      }),
    );
  }
  screen.tell(...listFirst(session, price));
  if (await confirm(session, phrase('jobs.submitThem'))) return true;
  screen.tell(phrase('jobs.nothingWasSubmitted'));
  return false;
}

async function showEstimate(
  session: Session,
  batch: BatchSubmission,
  price: BatchEstimate,
  unmatched: readonly string[],
): Promise<void> {
  const charging = await findCharging(session, batch.hpc);
  const { held, left, count, living_jobs: active, max_living_jobs: most } = price;
  session.print(
    price,
    phrase('jobs.wouldReserve', {
      jobs: writeCount(count, 'job'),
      time: writeNodeTime(held.time, charging),
      time2: writeNodeTime(held.time / count, charging),
      size: writeSize(held.space * 1000),
    }),
    phrase('jobs.remainingAfter', {
      time: writeNodeTime(left.time, charging),
      size: writeSize(left.space * 1000),
    }),
    ...describeCut(batch, price),
    ...describeWait(price),
    ...listFirst(session, price),
    ...unmatched,
    phrase('jobs.youWouldHave', { active: writeNumber(active), most: writeNumber(most) }),
  );
}

const mostShown = 3;

/** Lists the first commands, as they would run. */
function listFirst({ screen }: Session, { preview, count }: BatchEstimate): string[] {
  const shown = preview.slice(0, mostShown);
  const rest = count - shown.length;
  return [
    ...shown.map(({ index, program }) =>
      cutText(`  ${index}: ${cleanText(program)}`, Math.min(screen.width, 200)),
    ),
    ...(rest > 0 ? [phrase('jobs.andMore', { rest: writeNumber(rest) })] : []),
  ];
}

async function findCharging({ client }: Session, hpc: string): Promise<Charging> {
  return (await readCharging(client))(hpc.toUpperCase());
}

/** Shows a new batch, what it reserves, what remains, and the next commands. */
export async function reportBatch(
  session: Session,
  batch: Batch,
  {
    waits = false,
    price,
  }: { readonly waits?: boolean; readonly price?: BatchEstimate | undefined },
): Promise<void> {
  const { client, screen, json, print } = session;
  // Once it has ended, the batch is printed as it is then.
  if (json) return waits ? undefined : print(batch);
  const { hpc, project_name } = placeOf(batch);
  const [charging, { usage }] = await Promise.all([
    findCharging(session, hpc),
    client.getQuota({ hpc, project_name, expand: 'usage' }),
  ]);
  const id = writeShortId(batch.batch_id);
  const name = `${screen.paint('bold', id)}  ${cleanText(batch.title || phrase('shared.noTitle'))}`;
  const left = usage
    ? phrase('jobs.amountLeft', { left: writeLeft(usage.time.left, usage.time.granted) })
    : '';
  screen.say(
    phrase('jobs.submittedBatchTo', {
      name: padText(name, 26, 'end'),
      jobs: writeCount(batch.count, 'job'),
      hpc,
      projectname: project_name,
    }),
    phrase('jobs.reservedForBatch', {
      time: padText(writeNodeTime(batch.held.time, charging), 26, 'end'),
      left,
    }),
    ...(price ? listFirst(session, price) : []),
    ...(waits ? [] : [phrase('jobs.followBatch', { id })]),
  );
}
