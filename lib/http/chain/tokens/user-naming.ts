import { isUserId, type UserId } from '#lib/catalog/identifiers.ts';
import { type IdentitySettings, readEnvironment, TableEnvironment } from '#lib/config.ts';
import { isSubject, standsForItself } from '#lib/users/assigned/identity.ts';
import { openUserNumbers } from '#lib/users/assigned/open-user-numbers.ts';

/**
 * Whom a claim names. A claim that can name nobody throws at once: the token is at fault. What is
 * wrong with the table comes with the promise.
 */
export type UserNaming = (claim: unknown) => UserId | Promise<UserId>;

export function chooseNaming({ USER_IDS, ISSUER }: IdentitySettings): UserNaming {
  if (USER_IDS === 'numeric') return nameByNumber;
  return nameBySubject(openUserNumbers(readEnvironment(TableEnvironment).TABLE_NAME, ISSUER));
}

const nameByNumber: UserNaming = (claim) => {
  if (!isUserId(claim))
    throw new Error(
      'The claim that names the user is not a number as text, without leading zeros.',
    );
  return claim;
};

/** Subjects that are numbers already keep them, but a token can never choose one that was given. */
export function nameBySubject(findNumber: (subject: string) => Promise<UserId>): UserNaming {
  return (claim) => {
    if (!isSubject(claim)) {
      throw new Error('The claim that names the user is not text of 1 to 255 characters.');
    }
    return standsForItself(claim) ? claim : findNumber(claim);
  };
}
