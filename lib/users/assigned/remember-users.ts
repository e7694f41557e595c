import type { UserId } from '#lib/catalog/identifiers.ts';

/** Some megabytes at most: subjects have up to 255 characters. */
const maxUsers = 10_000;

/**
 * Asks for each subject once while the container lives, also where several ask at the same moment:
 * a number never becomes another. What failed is not remembered.
 */
export function rememberUsers(
  find: (subject: string) => Promise<UserId>,
  most = maxUsers,
): (subject: string) => Promise<UserId> {
  const remembered = new Map<string, Promise<UserId>>();
  return (subject) => {
    const known = remembered.get(subject);
    if (known) return known;
    const found = find(subject);
    remembered.set(subject, found);
    found.catch(() => {
      if (remembered.get(subject) === found) remembered.delete(subject);
    });
    // A map keeps the order in which its keys came.
    const [oldest] = remembered.keys();
    if (oldest !== undefined && remembered.size > most) remembered.delete(oldest);
    return found;
  };
}
