import { writeNodeTime, writeRest } from '../../../format/write-node-time.ts';
import { writeSize, writeSizeLeft } from '../../../format/write-size.ts';
import type { Estimate, System } from '../../../index.ts';
import type { SlipwayOnNode, SubmissionOnNode } from '../../../node/index.ts';
import { confirm } from '../../session/confirm.ts';
import type { Session } from '../../session/session.ts';

/** A job that takes more than half of what is left is worth a question; others are not. */
export async function confirmPrice(
  session: Session,
  client: SlipwayOnNode,
  { hpc }: SubmissionOnNode,
  { held, left }: Estimate,
): Promise<boolean> {
  const { screen } = session;
  if (!screen.isLive || held.time <= left.time) return true;
  const charging = chargingOf(await client.listSystems(), hpc);
  const before = writeRest(held.time + left.time, charging);
  screen.tell(
    `This job reserves ${writeNodeTime(held.time, charging)} of the ${before} that you have left.`,
  );
  if (await confirm(session, 'Submit it?')) return true;
  screen.tell('Nothing was submitted.');
  return false;
}

/** What a submission would cost, and what would be left. */
export async function showEstimate(
  { screen, json }: Session,
  client: SlipwayOnNode,
  submission: SubmissionOnNode,
): Promise<void> {
  const [price, systems] = await Promise.all([client.estimate(submission), client.listSystems()]);
  if (json) return screen.say(JSON.stringify(price, null, 2));
  const charging = chargingOf(systems, submission.hpc);
  const { held, left, living_jobs: living, max_living_jobs: most } = price;
  screen.say(
    `It would reserve ${writeNodeTime(held.time, charging)} and ${writeSize(held.space * 1000)}.`,
    `Left after it: ${writeRest(left.time, charging)} and ${writeSizeLeft(left.space * 1000)}.`,
    `It would be living job ${living} of at most ${most}. Nothing was submitted.`,
  );
}

function chargingOf(systems: readonly System[], hpc: string) {
  return systems.find(({ name }) => name === hpc)?.charging ?? 'mixed';
}
