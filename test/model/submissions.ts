import type { UserId } from '#lib/catalog/identifiers.ts';
import type { Submission } from '#lib/jobs/submit/submission.ts';
import type { Amount } from './accounts.ts';
import type { StepOf } from './history.ts';
import type { Place } from './places.ts';

export function buildSubmission(
  owner: UserId,
  place: Place,
  step: Pick<StepOf<'submit'>, 'nodes' | 'hours' | 'kilobytes'>,
): Submission {
  const { system, project } = place;
  const content = new Uint8Array(step.kilobytes * 1000);
  return {
    owner,
    system,
    project,
    program: 'NEURON',
    nodes: Math.min(step.nodes, system.limits.nodes),
    coresPerNode: 1,
    requestedRuntime: step.hours,
    title: '',
    extras: {},
    input: {
      fileName: 'a.zip',
      source: content.length === 0 ? { kind: 'none' } : { kind: 'inline', content, sha256: '' },
    },
  };
}

/** Written out once more, so that a wrong charge does not agree with itself. */
export function holdOf({ system, nodes, requestedRuntime, input }: Submission): Amount {
  const seconds = Math.min(Math.ceil(requestedRuntime * 3600), system.grantableRuntime * 3600);
  const bytes = input.source.kind === 'inline' ? input.source.content.length : 0;
  return { time: nodes * seconds, space: Math.ceil(bytes / 1000) };
}
