import type { SystemName, UserId } from '#lib/catalog/identifiers.ts';
import { DomainError } from '#lib/errors/domain-error.ts';
import { StaleReadError } from '#lib/table/errors.ts';

/** The job would run as its owner's own account, but no administrator has entered one. */
export class AccountMissingError extends DomainError {
  override readonly name = 'AccountMissingError';
  constructor(user: UserId, hpc: SystemName) {
    super(
      `Jobs on ${hpc} run as your own account there, and none is entered for you (user ${user}). ` +
        'Ask an administrator to enter it.',
    );
  }
}

export class AccountNotFoundError extends DomainError {
  override readonly name = 'AccountNotFoundError';
  constructor(user: UserId, hpc: SystemName) {
    super(
      `No account on ${hpc} is entered for the user '${user}'. ` +
        `GET /admin/users/${user}/accounts/ lists those that are.`,
    );
  }
}

export class AccountsNotUsedError extends DomainError {
  override readonly name = 'AccountsNotUsedError';
  constructor(hpc: SystemName) {
    super(
      `All jobs on ${hpc} run as one user, that of the service, so no accounts are entered there. ` +
        "To run each job as its owner, set runsAs to 'mapped' for this system in the catalog first.",
    );
  }
}

/** Somebody else changed the login first, so the decision must be made again. */
export class LoginChangedError extends StaleReadError {
  override readonly name = 'LoginChangedError';
}
