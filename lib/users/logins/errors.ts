import type { SystemName, UserId } from '#lib/catalog/identifiers.ts';
import { DomainError } from '#lib/errors/domain-error.ts';

/** The job would run as its owner's own account, but no administrator has entered one. */
export class AccountMissingError extends DomainError {
  override readonly name = 'AccountMissingError';
  constructor(user: UserId, hpc: SystemName) {
    super(`You have no account on ${hpc} yet. Ask an administrator to add one for user ${user}.`);
  }
}

export class AccountNotFoundError extends DomainError {
  override readonly name = 'AccountNotFoundError';
  constructor(user: UserId, hpc: SystemName) {
    super(
      `User '${user}' has no account on ${hpc}. ` +
        `GET /admin/users/${user}/accounts/ lists the accounts of this user.`,
    );
  }
}

export class AccountsNotUsedError extends DomainError {
  override readonly name = 'AccountsNotUsedError';
  constructor(hpc: SystemName) {
    super(
      `All jobs on ${hpc} run as the service's own user, so accounts are not used there. ` +
        "To run each job as its owner, set runsAs to 'mapped' for this system in the catalog first.",
    );
  }
}
