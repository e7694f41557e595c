import {
  type Charging,
  writeLeft,
  writeNodeTime,
  writeSize,
} from '../../format/amounts/amounts.ts';
import { describeResources } from '../../format/jobs/describe-resources.ts';
import { describeCut } from '../../format/jobs/describe-usage.ts';
import { writeShortId } from '../../format/jobs/write-short-id.ts';
import { writeCount, writeNumber } from '../../format/numbers/write-number.ts';
import {
  type Batch,
  type BatchEstimate,
  type Estimate,
  type Job,
  placeOf,
  type Slipway,
  type Submission,
} from '../../index.ts';
import { idOf, isBatch, readCharging } from '../session/find.ts';
import { confirm, type Session } from '../session/session.ts';
import { cleanText, cutText, padText } from '../terminal/text.ts';
import { phrase } from '../words/phrase.ts';

/** How somebody submits a job or a batch. */
export interface SubmitWishes {
  readonly dryRun?: true | undefined;
  readonly yes?: true | undefined;
  readonly wait?: true | undefined;
  readonly download?: string | undefined;
  /** Called once the service has accepted the submission, or its dry run. */
  readonly onAccepted: () => void;
}

/** Asks before somebody reserves more than half of their remaining quota, or gets less time than asked. */
export async function confirmPrice(
  session: Session,
  submission: Submission,
  price: Estimate | BatchEstimate,
): Promise<boolean> {
  const { client, screen } = session;
  const { held, left } = price;
  const isMany = 'count' in price;
  const isMuch = held.time > left.time;
  if (!screen.isLive || !(isMuch || describeCut(submission, price).length > 0)) return true;
  if (isMuch) {
    const charging = await findCharging(client, submission.hpc);
    const time = writeNodeTime(held.time, charging);
    const before = writeNodeTime(held.time + left.time, charging);
    screen.tell(
      isMany
        ? phrase('jobs.theseReserveOfYourRemaining', { jobs: countJobs(price), time, before })
        : phrase('jobs.thisJobReserves', { time, before }),
    );
  }
  if (isMany) screen.tell(...listFirst(session, price));
  if (await confirm(session, phrase(isMany ? 'jobs.submitThem' : 'jobs.submitIt'))) return true;
  screen.tell(phrase('jobs.nothingWasSubmitted'));
  return false;
}

/** Shows what a submission would reserve, what would remain, and what else there is to know. */
export async function showEstimate(
  { client, print }: Session,
  { hpc }: Submission,
  price: Estimate | BatchEstimate,
  notes: readonly string[],
): Promise<void> {
  const charging = await findCharging(client, hpc);
  const { held, left, living_jobs: active, max_living_jobs: most } = price;
  const reserved = {
    time: writeNodeTime(held.time, charging),
    size: writeSize(held.space * 1000),
  };
  const rest = { time: writeNodeTime(left.time, charging), size: writeSize(left.space * 1000) };
  const jobs = { active: writeNumber(active), most: writeNumber(most) };
  if ('count' in price) {
    const each = writeNodeTime(held.time / price.count, charging);
    return print(
      price,
      phrase('jobs.wouldReserve', { ...reserved, jobs: countJobs(price), time2: each }),
      phrase('jobs.remainingAfter', rest),
      ...notes,
      phrase('jobs.youWouldHave', jobs),
    );
  }
  const { resources } = price;
  print(
    price,
    ...(resources ? [phrase('jobs.itWouldGet', { resources: describeResources(resources) })] : []),
    phrase('jobs.itWouldReserve', reserved),
    phrase('jobs.remainingAfterItAnd', rest),
    ...notes,
    phrase('jobs.itWouldBeActiveJob', jobs),
  );
}

function countJobs({ count }: BatchEstimate): string {
  return writeCount(count, 'job');
}

const mostShown = 3;

/** Lists the first commands of a batch, as they would run. */
export function listFirst({ screen }: Session, { preview, count }: BatchEstimate): string[] {
  const shown = preview.slice(0, mostShown);
  const rest = count - shown.length;
  return [
    ...shown.map(({ index, program }) =>
      cutText(`  ${index}: ${cleanText(program)}`, Math.min(screen.width, 200)),
    ),
    ...(rest > 0 ? [phrase('jobs.andMore', { rest: writeNumber(rest) })] : []),
  ];
}

/** Shows a new job or batch, what it reserves, what remains, and the next commands. */
export async function reportSubmission(
  { client, screen, json, print }: Session,
  made: Job | Batch,
  reserving: Pick<Estimate, 'held'>,
  {
    waits = false,
    first = [],
  }: { readonly waits?: boolean; readonly first?: readonly string[] } = {},
): Promise<void> {
  // Once it has ended, it is printed as it is then.
  if (json) return waits ? undefined : print(made);
  const { hpc, project_name } = placeOf(made);
  const [charging, { usage }] = await Promise.all([
    findCharging(client, hpc),
    client.getQuota({ hpc, project_name, expand: 'usage' }),
  ]);
  const id = writeShortId(idOf(made));
  const name = `${screen.paint('bold', id)}  ${cleanText(made.title || phrase('shared.noTitle'))}`;
  const place = { name: padText(name, 26, 'end'), hpc, projectname: project_name };
  screen.say(
    isBatch(made)
      ? phrase('jobs.submittedBatchTo', { ...place, jobs: writeCount(made.count, 'job') })
      : phrase('jobs.submittedTo', place),
    phrase('jobs.reservedTime', {
      time: padText(writeNodeTime(reserving.held.time, charging), 26, 'end'),
      left: usage
        ? phrase('jobs.amountLeft', { left: writeLeft(usage.time.left, usage.time.granted) })
        : '',
    }),
    ...first,
    ...(waits ? [] : [phrase(isBatch(made) ? 'jobs.followBatch' : 'jobs.followJob', { id })]),
  );
}

async function findCharging(client: Slipway, hpc: string): Promise<Charging> {
  return (await readCharging(client))(hpc.toUpperCase());
}
