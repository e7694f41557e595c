import { readDuration } from '#client/src/format/duration.ts';
import type { Submission, System } from '#client/src/index.ts';

/** The form as typed. */
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

/** Returns the field of the payload that says what to run. */
export function programFieldOf({ payload }: System): 'command' | 'tool' {
  return payload.required.includes('command') ? 'command' : 'tool';
}

/** Lists the fields that only this system has. */
export function extraFieldsOf({ payload }: System): readonly string[] {
  return payload.optional.filter((name) => name !== 'title');
}

/** Finds mistakes without the service, by the service's names of the fields. */
export function judgeDraft(draft: Draft): ReadonlyMap<string, string> {
  const wrong = new Map<string, string>();
  if (readDuration(draft.time) === undefined) {
    wrong.set('runtime', 'Enter a time with a unit, such as 30 min, 2h or 1:30:00.');
  }
  for (const [name, value] of [
    ['node_number', draft.nodes],
    ['core_number', draft.cores],
  ] as const) {
    if (!/^[1-9]\d*$/.test(value.trim())) wrong.set(name, 'Enter a whole number from 1.');
  }
  return wrong;
}

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
