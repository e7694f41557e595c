import { describeChange } from '../../../changes/describe-change.ts';
import { writeDay } from '../../../format/write-day.ts';
import {
  type Charging,
  nameUnit,
  writeLeft,
  writeNodeTime,
} from '../../../format/write-node-time.ts';
import { writeSize, writeSizeLeft } from '../../../format/write-size.ts';
import type { Quota, Slipway } from '../../../index.ts';
import { readCharging } from '../../account/read-charging.ts';
import type { Session } from '../../session/session.ts';
import type { ChangedQuota } from './change-quota.ts';

/** What was done, in one line, and how the quota stands now, in another. */
export async function showChange(
  { screen, json }: Session,
  client: Slipway,
  done: string,
  { quota, change }: ChangedQuota,
): Promise<void> {
  if (json) return screen.say(JSON.stringify(quota, null, 2));
  const charging = (await readCharging(client))(quota.project_hpc);
  const whose = `${quota.user} in ${quota.project_name}`;
  screen.say(
    change === null
      ? `Unchanged  ${whose}: it was so before`
      : `${done.padEnd(9)}  ${whose}: ${describeChange(change, charging)}`,
    `Left       ${describeQuotaLeft(quota, charging)}`,
  );
}

/** `4,999 of 5,000 node-hours, 10 GB of 10 GB space, until 31 March 2027`. */
export function describeQuotaLeft({ usage, time_left }: Quota, charging: Charging): string {
  if (!usage) return writeNodeTime(time_left, charging);
  const { time, space, valid_until: end, renews } = usage;
  return [
    `${writeLeft(time.left, time.granted)} ${nameUnit(charging)}`,
    `${writeSizeLeft(space.left * 1000)} of ${writeSize(space.granted * 1000)} space`,
    ...(end === null ? [] : [`until ${writeDay(end)}`]),
    ...(renews?.next ? [`renews ${renews.every}, next on ${writeDay(renews.next)}`] : []),
  ].join(', ');
}
