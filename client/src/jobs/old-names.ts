import type { BatchSubmission } from './submission.ts';

/** Old names of the fields of a submission. They work until version 0.5.0. */
export const oldNames = { project_name: 'project' } as const;

let hasWarned = false;

/** Gives the fields of a submission their present names, and warns once if it has old ones. */
export function renameOld({ project_name: old, ...fields }: BatchSubmission): BatchSubmission {
  if (old === undefined) return fields;
  if (fields.project !== undefined) {
    throw new TypeError("Give 'project' alone. 'project_name' is its old name.");
  }
  if (!hasWarned) warn("'project_name' of a submission is now 'project'. It works until 0.5.0.");
  hasWarned = true;
  return { ...fields, project: old };
}

/** Browsers have no process. */
interface Surroundings {
  readonly console: Pick<Console, 'warn'>;
  readonly process?: { emitWarning(text: string, kind: string): void };
}

function warn(text: string): void {
  const { console, process }: Surroundings = globalThis;
  if (process) process.emitWarning(text, 'DeprecationWarning');
  else console.warn(text);
}
