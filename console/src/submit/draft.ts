import { readDuration } from '#client/src/format/duration.ts';
import type { Submission, System } from '#client/src/index.ts';

/** What is in the form, as it was typed. */
export interface Draft {
  readonly hpc: string;
  readonly project: string;
  /** The command or the tool. */
  readonly program: string;
  readonly nodes: string;
  readonly cores: string;
  /** `30 min`, `2h`, `1:30:00`. */
  readonly time: string;
  readonly title: string;
  readonly fields: Readonly<Record<string, string>>;
}

export const emptyDraft: Draft = {
  hpc: '',
  project: '',
  program: '',
  nodes: '1',
  cores: '1',
  time: '30 min',
  title: '',
  fields: {},
};

/** Which field of the payload says what to run. */
export function programFieldOf({ payload }: System): 'command' | 'tool' {
  return payload.required.includes('command') ? 'command' : 'tool';
}

/** Fields that this system knows beyond those of all. */
export function extraFieldsOf({ payload }: System): readonly string[] {
  return payload.optional.filter((name) => name !== 'title');
}

/** Mistakes that need no service to be seen, by the name that the service gives the field. */
export function judgeDraft(draft: Draft): ReadonlyMap<string, string> {
  const wrong = new Map<string, string>();
  if (readDuration(draft.time) === undefined) {
    wrong.set('runtime', 'Write a time with its unit, for example 30 min, 2h or 1:30:00.');
  }
  for (const [name, value] of [
    ['node_number', draft.nodes],
    ['core_number', draft.cores],
  ] as const) {
    if (!/^[1-9]\d*$/.test(value.trim())) wrong.set(name, 'Write a whole number from 1.');
  }
  return wrong;
}

/** As the client takes it. */
export function toSubmission(draft: Draft, system: System): Submission {
  const fields = Object.fromEntries(
    extraFieldsOf(system)
      .map((name) => [name, draft.fields[name] ?? ''] as const)
      .filter(([, value]) => value !== ''),
  );
  return {
    hpc: draft.hpc,
    ...(draft.project !== '' && { project_name: draft.project }),
    [programFieldOf(system)]: draft.program,
    nodes: Number(draft.nodes),
    cores: Number(draft.cores),
    runtime: (readDuration(draft.time) ?? 0) / 3600,
    title: draft.title,
    fields,
  };
}
