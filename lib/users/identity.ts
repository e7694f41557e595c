import { isUserId, type UserId } from '#lib/catalog/identifiers.ts';

/** A user as the issuer of their tokens knows them. */
export interface Identity {
  readonly issuer: string;
  /** The issuer's name for the user. It can be anything that stays the same. */
  readonly subject: string;
}

/** The limit of OpenID Connect for `sub`. */
const longest = 255;

export function isSubject(claim: unknown): claim is string {
  return (
    typeof claim === 'string' && claim !== '' && claim.length <= longest && claim.isWellFormed()
  );
}

/**
 * Assigned numbers start here: 16 digits with a leading 9, all exact in a double. A subject of that
 * form is never taken as a number of its own, so no token can name a user with an assigned number.
 */
const beforeFirst = 9_000_000_000_000_000;

export function makeUserId(count: number): UserId {
  const user = String(beforeFirst + count);
  if (!isGiven(user)) throw new Error(`'${user}' is not a number that can be given to a user.`);
  return user;
}

/** Returns the position among assigned numbers, or 0 if the number was not assigned. */
export function countOf(user: UserId): number {
  return isGiven(user) ? Number(user) - beforeFirst : 0;
}

/** Returns true if the issuer's subject is itself the user's number. */
export function standsForItself(subject: string): subject is UserId {
  return isUserId(subject) && !isGiven(subject);
}

function isGiven(text: string): text is UserId {
  return /^9[0-9]{15}$/.test(text);
}
