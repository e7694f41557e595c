import { findProject } from '../../account/find-project.ts';
import { CannotDo } from '../../outcome/outcome.ts';
import type { Session } from '../../session/session.ts';
import { askReason } from '../act/ask-reason.ts';
import { changeQuota, type Wish } from './change-quota.ts';
import { type RenewalWishes, readRenewal } from './read-renewal.ts';
import { showChange } from './show-change.ts';

interface GrantWishes extends RenewalWishes {
  /** Seconds. */
  readonly amount: number;
  readonly until?: string | null | undefined;
  readonly reason?: string | undefined;
}

export async function grantOne(
  session: Session,
  user: string,
  project: string,
  wishes: GrantWishes,
): Promise<void> {
  const wish = readGrant(wishes);
  const reason = await askReason(session, wishes.reason);
  const client = session.connect();
  const place = { user_id: user, ...(await findProject(client, project)) };
  const changed = await changeQuota(client, place, { ...wish, reason });
  await showChange(session, client, 'Granted', changed);
  if (changed.quota.usage?.space.granted === 0) {
    session.screen.tell('It has no space, which jobs with input need. Grant some: --space 10GB');
  }
}

function readGrant(wishes: GrantWishes): Omit<Wish, 'reason'> {
  const { amount, space, until } = wishes;
  if (amount < 0 || (space ?? 0) < 0) {
    throw new CannotDo('A grant gives; it takes nothing away.', {
      next: 'To take something away: slipway admin correct --help',
    });
  }
  const renews = readRenewal(amount, wishes);
  return {
    add: { time: amount, ...(space !== undefined && { space }) },
    ...(until !== undefined && { valid_until: until }),
    ...(renews && { renews }),
  };
}
