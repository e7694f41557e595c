import { isUserId, type UserId } from '#lib/catalog/identifiers.ts';

/** Who somebody is to the issuer of their tokens. */
export interface Identity {
  readonly issuer: string;
  /** What the issuer calls the user: anything, as long as it stays the same. */
  readonly subject: string;
}

/** As long as OpenID Connect lets a `sub` be. */
const longest = 255;

export function isSubject(claim: unknown): claim is string {
  return (
    typeof claim === 'string' && claim !== '' && claim.length <= longest && claim.isWellFormed()
  );
}

/**
 * Where the numbers begin that are given to subjects: 16 digits, the first of them a 9, and every
 * one is held exactly by a double. A subject of that form never stands for itself, so that no token
 * can name somebody whose number was given.
 */
const beforeFirst = 9_000_000_000_000_000;

export function makeUserId(count: number): UserId {
  const user = String(beforeFirst + count);
  if (!isGiven(user)) throw new Error(`'${user}' is not a number that can be given to a user.`);
  return user;
}

/** Which of the numbers that are given it is; 0 where it is none of them. */
export function countOf(user: UserId): number {
  return isGiven(user) ? Number(user) - beforeFirst : 0;
}

/** A number that the issuer itself has given: its user is the one of that number. */
export function standsForItself(subject: string): subject is UserId {
  return isUserId(subject) && !isGiven(subject);
}

function isGiven(text: string): text is UserId {
  return /^9[0-9]{15}$/.test(text);
}
