import type { Hold } from './quota.ts';

interface Account {
  readonly hpc: string;
  readonly project: string;
}

/** The quota is there, and too small for what was asked. */
export class QuotaExceededError extends Error {
  override name = 'QuotaExceededError';
  readonly asked: Hold;
  readonly left: Hold;
  constructor({ hpc, project }: Account, asked: Hold, left: Hold) {
    const shortages = [
      asked.seconds > left.seconds &&
        `${asked.seconds} seconds of time were asked for and ${left.seconds} are left`,
      asked.kilobytes > left.kilobytes &&
        `${asked.kilobytes} kilobytes of space were asked for and ${left.kilobytes} are left`,
    ].filter((shortage) => shortage !== false);
    super(`The quota of '${project}' on '${hpc}' is too small: ${shortages.join('; ')}.`);
    this.asked = asked;
    this.left = left;
  }
}

/** A submission to a project in which the caller was granted nothing. */
export class NoQuotaError extends Error {
  override name = 'NoQuotaError';
  constructor({ hpc, project }: Account) {
    super(
      `You have no quota in the project '${project}' on '${hpc}'. An administrator can grant one.`,
    );
  }
}

/** A quota was read that does not exist. */
export class QuotaNotFoundError extends Error {
  override name = 'QuotaNotFoundError';
  constructor({ hpc, project }: Account) {
    super(`There is no quota in the project '${project}' on '${hpc}'.`);
  }
}
