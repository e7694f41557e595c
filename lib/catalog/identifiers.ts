/** Each kind of name has its own type, so that mixing them up does not compile. */
declare const named: unique symbol;

type Identifier<Thing extends string> = string & { readonly [named]: Thing };

/** Numeric text, as the identity provider gives it. */
export type UserId = Identifier<'user'>;

/** The name in paths, in lower case: `hpc_one`. */
export type SystemName = Identifier<'system'>;

export type ProjectName = Identifier<'project'>;

/** The identifier of a job on its HPC system, not its record number. */
export type JobId = Identifier<'job'>;

/** Many jobs that were submitted as one. Sorts by time: a UUID of version 7 in upper case. */
export type BatchId = Identifier<'batch'>;

export function isBatchId(text: unknown): text is BatchId {
  return typeof text === 'string' && batchIdForm.test(text);
}

const batchIdForm = /^[0-9A-F]{8}-[0-9A-F]{4}-7[0-9A-F]{3}-[89AB][0-9A-F]{3}-[0-9A-F]{12}$/;

/** We make upload ids ourselves, so text of another form cannot be one. */
export function isUploadId(text: string): boolean {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);
}

/** A request for more quota: its owner, then the time it was opened and random digits, in hex. */
export type RequestId = Identifier<'request'>;

export function isRequestId(text: unknown): text is RequestId {
  return typeof text === 'string' && /^[0-9]{1,32}-[0-9a-f]{32}$/.test(text);
}

/**
 * The form of a user id that is accepted from outside: in tokens, paths, queries, rows and imports.
 * 32 digits are more than any identity provider gives, and keep keys short. No leading zeros,
 * because `07199` and `7199` would be two users, and a ban of one would not hold for the other.
 */
export const userIdForm = /^(0|[1-9][0-9]{0,31})$/;

export function isUserId(text: unknown): text is UserId {
  return typeof text === 'string' && userIdForm.test(text);
}

/**
 * Accepts an id that the service stored, perhaps before leading zeros were refused, or the holder of
 * budgets.
 */
export function isStoredUserId(text: unknown): text is UserId {
  return typeof text === 'string' && /^([0-9]{1,32}|budget)$/.test(text);
}

/**
 * The user of a budget's account, which belongs to the project itself. No token and no path can name
 * it, because user ids from outside are numbers.
 */
export const budgetHolder: UserId = storedUserId('budget');

function storedUserId(text: string): UserId {
  if (!isStoredUserId(text)) throw new Error(`'${text}' is not a valid user id.`);
  return text;
}

/** Checks characters and length. Text of another form is not the id of any job. */
export function isJobId(text: unknown): text is JobId {
  return typeof text === 'string' && /^[A-Z0-9_-]{1,128}$/.test(text);
}

/** Checks the characters of an id, so other text is never looked up. */
export function isWebhookId(text: string): boolean {
  return /^[0-9a-f-]{36}$/.test(text);
}

/**
 * No part of a key can hold a '#' (lib/table/keys.ts). A name begins with a letter, because users
 * are numbers, and a path tells the two apart by the first character (docs/decisions/0022).
 */
export const nameForm = /^[a-z][a-z0-9_]{0,62}$/;

function isName(text: unknown): text is SystemName & ProjectName {
  return typeof text === 'string' && nameForm.test(text);
}

export function isSystemName(text: unknown): text is SystemName {
  return isName(text);
}

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
 * The first number for projects that are opened at run time. Those of the catalog are below, so
 * that the two can never get the same number.
 */
export const firstOpenedNumber = 1_000_000;
