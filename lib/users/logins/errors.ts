import type { SystemName, UserId } from '#lib/catalog/identifiers.ts';
import { refusalSaying } from '#lib/errors/domain-error.ts';

/**
 * The job would run as its owner's own account, but no administrator has entered one, and the token
 * names none that the system takes.
 */
export class AccountMissingError extends /* @__PURE__ */ refusalSaying(
  'account-missing',
  (user: UserId, hpc: SystemName, named?: NamedAccount) =>
    `You have no account on ${hpc} yet${named ? `: ${describeNamed(named)}` : ''}.` +
    ` Ask an administrator to add one for user ${user}.`,
) {}

/** What the token names, which cannot be the caller's account. */
interface NamedAccount {
  readonly claim: string;
  /** True if it belongs to somebody else. */
  readonly isTaken?: boolean;
}

const mostShown = 64;

function describeNamed({ claim, isTaken = false }: NamedAccount): string {
  const shown = claim.length > mostShown ? `${claim.slice(0, mostShown)}...` : claim;
  const why = isTaken
    ? 'belongs to another user of this service'
    : 'is not a name of an account there';
  return `your sign-in names '${shown}', which ${why}`;
}

export class AccountNotFoundError extends /* @__PURE__ */ refusalSaying(
  'account-not-found',
  (user: UserId, hpc: SystemName) =>
    `User '${user}' has no account on ${hpc}. ` +
    `GET /admin/users/${user}/accounts/ lists the accounts of this user.`,
) {}

export class AccountsNotUsedError extends /* @__PURE__ */ refusalSaying(
  'accounts-not-used',
  (hpc: SystemName) =>
    `All jobs on ${hpc} run as the service's own user, so accounts are not used there. ` +
    "To run each job as its owner, set runsAs to 'mapped' for this system in the catalog first.",
) {}
