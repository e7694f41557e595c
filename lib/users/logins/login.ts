import { compilePattern } from '#lib/catalog/compile-pattern.ts';
import type { AccountClaim } from '#lib/catalog/hpc-system.ts';
import { attribute, defineItem, type Stored, text } from '#lib/table/define-item.ts';
import { userField } from '#lib/table/named-fields.ts';
import { StoredSystemName } from '#lib/table/stored-names.ts';

const fields = () => ({
  user: userField(),
  hpc: attribute('hpc', StoredSystemName),
  name: text('login'),
});

/** The name of a user's own account on a system. The user's jobs run as that account. */
export const storedLogin = defineItem('login', fields);

/** The login that the token of a user named last. It counts where no administrator entered one. */
export const claimedLogin = defineItem('claimed-login', fields);

/** Whose a login is, so that a token cannot name somebody else's. */
export const loginHolder = defineItem('login-holder', fields);

export function loginFromItem(stored: Readonly<Record<string, unknown>>): Login {
  return (stored.type === 'claimed-login' ? claimedLogin : storedLogin).parse(stored);
}

export interface Login extends Stored<typeof storedLogin> {}

/** A user name that every Unix accepts and that is safe in a path or a shell. */
const nameForm = /^[a-z_][a-z0-9_.-]{0,31}$/;

/**
 * A job running as root, as Slurm's own user or as the owner of Munge's key controls the system. As
 * nobody, users would not be separated.
 */
const forbiddenNames: readonly string[] = ['root', 'slurm', 'munge', 'nobody'];

/** A login has at most 32 characters, and a mail address that contains it is not much longer. */
const longestClaim = 128;

/** Returns the login that a claim of a token names, if it is one that the system takes. */
export function loginInClaim({ pattern = '.*' }: AccountClaim, claim: string): string | undefined {
  if (claim.length > longestClaim) return undefined;
  const [whole, part] = compilePattern(pattern)?.exec(claim) ?? [];
  const name = part ?? whole;
  return name !== undefined && judgeLoginName(name) === undefined ? name : undefined;
}

/** Returns why a name cannot be a login, if it cannot. */
export function judgeLoginName(name: string): string | undefined {
  if (!nameForm.test(name)) {
    return (
      'It must be a user name of the system: 1 to 32 lower-case letters, digits, - _ and ., ' +
      'beginning with a letter or _.'
    );
  }
  return forbiddenNames.includes(name)
    ? `Jobs must not run as ${name}. Name the user's own account.`
    : undefined;
}
