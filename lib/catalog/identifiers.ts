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

/** Numeric text; 32 digits are more than any identity provider gives, and keep keys short. */
export function isUserId(text: unknown): text is UserId {
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
