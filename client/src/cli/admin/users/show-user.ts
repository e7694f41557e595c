import { writeDay } from '../../../format/write-day.ts';
import type { Slipway } from '../../../index.ts';
import { readCharging } from '../../account/read-charging.ts';
import { cleanText } from '../../screen/clean-text.ts';
import type { Session } from '../../session/session.ts';
import { take } from '../../session/take.ts';
import { quotaColumns } from '../quotas/quota-columns.ts';
import { actColumns } from '../records/act-columns.ts';
import { writeBans } from './write-bans.ts';

/** So many of the acts that concerned the user; the audit has them all. */
const mostActs = 10;

/** All that an administrator asks about one user. */
export async function showUser(
  { screen, json }: Session,
  client: Slipway,
  userId: string,
): Promise<void> {
  const [user, quotas, accounts, acts, chargingOf] = await Promise.all([
    client.getUser({ user_id: userId }),
    take(client.listQuotasOfUser({ user_id: userId, expand: 'usage' }), Infinity),
    client.listAccounts({ user_id: userId }),
    take(client.readAudit({ user: userId, limit: mostActs }), mostActs),
    readCharging(client),
  ]);
  if (json) return screen.say(JSON.stringify({ ...user, quotas, accounts, acts }, null, 2));
  const bans = writeBans(user);
  const called = user.subject ? ` (${cleanText(user.subject)})` : '';
  const quotaTable = quotaColumns(chargingOf).filter(({ head }) => head !== 'USER');
  const actTable = actColumns(chargingOf).filter(({ head }) => head !== 'USER');
  screen.say(
    `${screen.paint('bold', userId)}${called}, first seen on ${writeDay(user.first_seen)}`,
    ...(bans === '' ? [] : [screen.paint('red', `Banned from submitting: ${cleanText(bans)}`)]),
    ...accounts.map(({ hpc, account }) => `Jobs on ${hpc} run as ${cleanText(account)}.`),
    '',
    ...(quotas.length > 0 ? screen.layOut(quotas, quotaTable) : ['No quotas.']),
    '',
    ...(acts.length > 0
      ? screen.layOut(acts, actTable)
      : ['No administrator has done anything to this user.']),
  );
  if (acts.length === mostActs)
    screen.tell(`All of it: slipway admin audit --user ${userId} --all`);
}
