import { writeLeft, writeNodeTime } from '../../../format/write-node-time.ts';
import { writeShortId } from '../../../format/write-short-id.ts';
import type { Job, Slipway } from '../../../index.ts';
import { placeOf } from '../../../index.ts';
import { readCharging } from '../../account/read-charging.ts';
import { cleanText } from '../../screen/clean-text.ts';
import { padText } from '../../screen/measure-text.ts';
import type { Session } from '../../session/session.ts';

interface Report {
  /** Seconds. */
  readonly held: number;
  /** Whether the command goes on with it. */
  readonly waits: boolean;
}

/** What was made, what it reserves, what is left, and how to go on. */
export async function reportSubmission(
  session: Session,
  client: Slipway,
  job: Job,
  { held, waits }: Report,
): Promise<void> {
  const { screen, json } = session;
  if (json) {
    if (!waits) screen.say(JSON.stringify(job, null, 2));
    return;
  }
  const { hpc, project_name } = placeOf(job);
  const [chargingOf, { usage }] = await Promise.all([
    readCharging(client),
    client.getQuota({ hpc, project_name, expand: 'usage' }),
  ]);
  const id = writeShortId(job.job_id);
  const charging = chargingOf(job.project_hpc);
  const name = `${screen.paint('bold', id)}  ${cleanText(job.title || '(no title)')}`;
  const reserved = writeNodeTime(held, charging);
  const left = usage ? `${writeLeft(usage.time.left, usage.time.granted)} left` : '';
  screen.say(
    `Submitted  ${padText(name, 26, 'end')}  ${hpc} / ${project_name}`,
    `Reserved   ${padText(reserved, 26, 'end')}  ${left}`,
    ...(waits ? [] : [`Follow it: slipway wait ${id}      Output: slipway logs -f ${id}`]),
  );
}
