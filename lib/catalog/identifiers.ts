/** Names of things, each of its own type: one in the place of another does not compile. */
declare const named: unique symbol;

type Identifier<Thing extends string> = string & { readonly [named]: Thing };

/** Numeric text, as the identity provider gives it. */
export type UserId = Identifier<'user'>;

/** As it stands in paths, in lower case: `hpc_one`. */
export type SystemName = Identifier<'system'>;

export type ProjectName = Identifier<'project'>;

/** The identifier of a job on its HPC system; its record number is another thing. */
export type JobId = Identifier<'job'>;

/** Of a request for more: whose it is, then when it was opened and something random, in hex. */
export type RequestId = Identifier<'request'>;

export function isRequestId(text: unknown): text is RequestId {
  return typeof text === 'string' && /^[0-9]{1,32}-[0-9a-f]{32}$/.test(text);
}

/**
 * The form of a user id that is accepted from outside: in tokens, paths, queries, rows and imports.
 * 32 digits are more than any identity provider gives, and keep keys short. Without leading zeros,
 * because `07199` and `7199` would be two users, and a ban of one would not hold for the other.
 */
export const userIdForm = /^(0|[1-9][0-9]{0,31})$/;

export function isUserId(text: unknown): text is UserId {
  return typeof text === 'string' && userIdForm.test(text);
}

/** One that the service itself has written, maybe before leading zeros were refused. */
export function isStoredUserId(text: unknown): text is UserId {
  return typeof text === 'string' && /^[0-9]{1,32}$/.test(text);
}

/** The characters and lengths that any system's identifiers have: others need no look. */
export function isJobId(text: unknown): text is JobId {
  return typeof text === 'string' && /^[A-Z0-9_-]{1,128}$/.test(text);
}

/**
 * No part of a key can hold a '#' (lib/table/keys.ts). A name begins with a letter, because users
 * are numbers, and a path tells the two apart by the first character (docs/decisions/0022).
 */
export const nameForm = /^[a-z][a-z0-9_]{0,62}$/;

function isName(text: unknown): text is SystemName & ProjectName {
  return typeof text === 'string' && nameForm.test(text);
}

/** Whether a project may be called so. */
export function isProjectName(text: unknown): text is ProjectName {
  return isName(text);
}

export function systemName(text: string): SystemName {
  if (!isName(text)) throw new Error(`'${text}' is not a valid name for an HPC system.`);
  return text;
}

export function projectName(text: string): ProjectName {
  if (!isName(text)) throw new Error(`'${text}' is not a valid name for a project.`);
  return text;
}

/**
 * Projects that are opened at run time are numbered from here on, and those of the catalog below:
 * neither can be given a number that the other has, or will have.
 */
export const firstOpenedNumber = 1_000_000;
