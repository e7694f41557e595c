import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { join } from 'node:path';
import { readOrCreate } from './private-folder.ts';

const keyFile = 'key';

/**
 * Opens the key that a person must show to sign in at the laptop edition. Tokens run commands on
 * this machine, and every user and web page on it reaches the port. The key stays the same between
 * starts, so that browsers and profiles that know it go on working.
 */
export function openSignInKey(directory: string): string {
  const key = readOrCreate(directory, keyFile, () => `${randomBytes(32).toString('base64url')}\n`);
  // A crash while it was written may have left a part, which would be easy to guess.
  if (/^[\w-]{43}\n$/.test(key)) return key.trim();
  throw new Error(
    `The key to sign in with, ${join(directory, keyFile)}, is damaged. Delete it: the next start makes a new one.`,
  );
}

/**
 * Writes the address of the console. Browsers never send the part after the #, so no log and no
 * other site gets the key.
 */
export function addressOfConsole(url: string, key: string | undefined): string {
  return `${url}/console/${key === undefined ? '' : `#key=${key}`}`;
}

/** Compares in constant time, so that answers do not tell how much of a guess was right. */
export function isSameKey(key: string, given: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(key), digest(given));
}
