import { Command } from '@commander-js/extra-typings';
import { writeAge } from '../../format/write-age.ts';
import { writeDay } from '../../format/write-day.ts';
import { type Charging, nameUnit, writeLeft, writeNodeTime } from '../../format/write-node-time.ts';
import { writeSize, writeSizeLeft } from '../../format/write-size.ts';
import type { Quota } from '../../index.ts';
import { cleanText } from '../screen/clean-text.ts';
import type { Screen } from '../screen/screen.ts';
import { writeBar } from '../screen/write-bar.ts';
import { writeCsv } from '../screen/write-csv.ts';
import type { Open } from '../session/open.ts';
import { writeExamples } from '../session/write-examples.ts';
import { readCharging } from './read-charging.ts';

export function createQuotas(open: Open) {
  return new Command('quotas')
    .description('show what you have left')
    .argument('[hpc]', 'only on this HPC system')
    .option('--csv', 'as CSV, in seconds and kilobytes')
    .addHelpText('after', writeExamples('slipway quotas'))
    .action(async (hpc, options, command) => {
      const { connect, screen, json } = open(command);
      const client = connect();
      const [quotas, chargingOf] = await Promise.all([
        client.listQuotas({ expand: 'usage', ...(hpc !== undefined && { hpc }) }),
        readCharging(client),
      ]);
      if (json) return screen.say(JSON.stringify(quotas, null, 2));
      if (options.csv) return screen.raw(writeCsv(quotas));
      screen.say(
        ...quotas.flatMap((quota) => describeQuota(quota, chargingOf(quota.project_hpc), screen)),
      );
      if (quotas.length === 0) screen.tell('You have no quotas. Ask for one: slipway ask --help');
    });
}

const barWidth = 24;

/** Two lines: the time, and what else there is to say. */
export function describeQuota(
  quota: Quota,
  charging: Charging,
  { paint }: Pick<Screen, 'paint'>,
): string[] {
  const { usage, project_name: project, project_hpc: hpc } = quota;
  const name = paint('bold', `${project}`);
  if (!usage) return [`${name}  ${writeNodeTime(quota.time_left, charging)} left`];
  const { time, space } = usage;
  const share = time.granted > 0 ? time.left / time.granted : 0;
  const colour = share < 0.1 ? 'red' : 'green';
  const bar = paint(colour, writeBar(share, barWidth));
  const notes = [
    `${writeSizeLeft(space.left * 1000)} of ${writeSize(space.granted * 1000)} space left`,
    ...(time.held > 0 ? [`${writeNodeTime(time.held, charging)} reserved`] : []),
    ...(usage.living_jobs > 0 ? [`${usage.living_jobs} living jobs`] : []),
    ...(usage.valid_until === null ? [] : [`until ${writeDay(usage.valid_until)}`]),
    ...(usage.renews?.next ? [`renews ${writeAge(usage.renews.next, new Date())}`] : []),
    ...(usage.banned === null ? [] : [paint('red', `you are banned: ${cleanText(usage.banned)}`)]),
  ];
  return [
    `${name} on ${hpc.toLowerCase()}`,
    `  ${bar}  ${writeLeft(time.left, time.granted)} ${nameUnit(charging)} left`,
    `  ${paint('dim', notes.join(' · '))}`,
  ];
}
