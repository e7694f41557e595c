/** What the identity provider calls a user. For display only: two users may have the same name. */
export interface Person {
  readonly name?: string | undefined;
  readonly email?: string | undefined;
}

/** Counted in characters, as people see most of them. */
const longestName = 100;

/** The limit of RFC 5321 for an address. */
const longestEmail = 254;

/**
 * Reads name and mail address from a token. Issuers leave out what a client may not see, and users
 * choose their names at some of them, so anything unfit is left out.
 */
export function readPerson(claims: Readonly<Record<string, unknown>>): Person {
  const { name, given_name: given, family_name: family, preferred_username: username } = claims;
  const full = [given, family].filter((part) => typeof part === 'string').join(' ');
  const [found] = [name, full, username].flatMap((claim) => cleanName(claim) ?? []);
  const email = readEmail(claims);
  return {
    ...(found !== undefined && { name: found }),
    ...(email !== undefined && { email }),
  };
}

/**
 * Returns a name without anything that could disturb the text around it: control characters, marks
 * that turn the direction of writing, invisible characters and towers of accents. A name without a
 * letter is left out, because it could pass for a number.
 */
export function cleanName(claim: unknown): string | undefined {
  if (typeof claim !== 'string') return undefined;
  const text = claim
    // Whatever follows would be cut anyway.
    .slice(0, longestName * 4)
    .toWellFormed()
    .normalize('NFC')
    .replace(/[\p{Z}\p{Cc}]+/gu, ' ')
    .replace(/[\p{C}\u{FFFD}\u{2800}\u{3164}\u{115F}\u{1160}\u{FFA0}]/gu, '')
    .replace(/(\p{M}{2})\p{M}+/gu, '$1');
  const cut = [...text.trim()].slice(0, longestName).join('').trim();
  return /\p{L}/u.test(cut) ? cut : undefined;
}

/** Returns the address of which the issuer has verified that it is the user's. */
function readEmail({ email, email_verified: verified }: Readonly<Record<string, unknown>>) {
  const isVerified = verified === true || verified === 'true';
  return isVerified && isAddress(email) ? email : undefined;
}

function isAddress(email: unknown): email is string {
  return (
    typeof email === 'string' &&
    email.length <= longestEmail &&
    /^[^\s@\p{C}]+@[^\s@\p{C}]+$/u.test(email)
  );
}
