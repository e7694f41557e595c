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
export function holdOf(submission: Submission): Amount {
  const { nodes, input } = submission;
  const seconds = secondsOf(submission);
  const bytes = input.source.kind === 'inline' ? input.source.content.length : 0;
  return { time: nodes * seconds, space: Math.ceil(bytes / 1000) };
}

/** In millionths of a US dollar. All jobs have one core. */
export function costOf(submission: Submission): number | undefined {
  if (!isPriced(submission)) return undefined;
  return Math.ceil(Number(((secondsOf(submission) / 3600) * 100_000).toFixed(6)));
}

/** AWS Batch grants whole minutes. */
function secondsOf(submission: Submission): number {
  const { system, requestedRuntime } = submission;
  const unit = isPriced(submission) ? 60 : 1;
  const asked = Math.ceil((requestedRuntime * 3600) / unit) * unit;
  return Math.min(asked, system.grantableRuntime * 3600);
}

function isPriced({ system }: Submission): boolean {
  return system.connector.kind === 'batch';
}
