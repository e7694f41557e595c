import type { SystemName, UserId } from '#lib/catalog/identifiers.ts';

/** The name of a user's own account on a system, as whom the user's jobs run there. */
export interface Login {
  readonly user: UserId;
  readonly hpc: SystemName;
  readonly name: string;
}

/** A user name as every Unix takes it; in a path and in a shell it means nothing else. */
const nameForm = /^[a-z_][a-z0-9_-]{0,31}$/;

/**
 * Whoever runs a job as one of these has the system: root itself, the user that Slurm runs as, and
 * the keeper of the key that its daemons trust. As nobody, users would not be apart.
 */
const forbiddenNames: readonly string[] = ['root', 'slurm', 'munge', 'nobody'];

/** Why a name cannot be a login; nothing where it can. */
export function judgeLoginName(name: string): string | undefined {
  if (!nameForm.test(name)) {
    return (
      'It must be a user name of the system: 1 to 32 lower-case letters, digits, - and _, ' +
      'beginning with a letter or _.'
    );
  }
  return forbiddenNames.includes(name)
    ? `Jobs must not run as ${name}. Name the user's own account.`
    : undefined;
}
