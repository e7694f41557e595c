import type { UserId } from '#lib/catalog/identifiers.ts';
import type { Submission } from '#lib/jobs/submit/submission.ts';
import type { Amount } from './accounts.ts';
import type { StepOf } from './history.ts';
import type { Place } from './places.ts';

export function buildSubmission(
  owner: UserId,
  place: Place,
  step: Pick<StepOf<'submit'>, 'nodes' | 'hours' | 'kilobytes'> & { readonly joins?: boolean },
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
    ...(system.classes && chooseResources(step)),
    joins: project.members !== undefined && step.joins === true,
    requestedRuntime: step.hours,
    title: '',
    extras: {},
    input: {
      fileName: 'a.zip',
      source: content.length === 0 ? { kind: 'none' } : { kind: 'inline', content, sha256: '' },
    },
  };
}

/** Follows from the rest of the step, so that histories stay the same. */
function chooseResources({ nodes, kilobytes }: { nodes: number; kilobytes: number }): Chosen {
  const className = ['normal', 'dear', 'gpu'][(nodes + kilobytes) % 3];
  return { className, gpusPerNode: nodes % 3, memoryMegabytes: 700 + 10 * (kilobytes % 97) };
}

type Chosen = Pick<Submission, 'className' | 'gpusPerNode' | 'memoryMegabytes'>;

/** How many hours an hour of one node is charged as, times 100,000, so that all is exact. */
function weigh({ className, gpusPerNode = 0, memoryMegabytes = 0 }: Submission): number {
  if (className === undefined) return 100_000;
  if (className === 'gpu') return 100_000 * Math.max(1, 3 * gpusPerNode);
  const sum = 100_000 + 50_000 * gpusPerNode + 3 * memoryMegabytes;
  return className === 'dear' ? 2 * sum : sum;
}

/** Written out once more, so that a wrong charge does not agree with itself. */
export function holdOf(submission: Submission): Amount {
  const { nodes, input } = submission;
  const seconds = secondsOf(submission);
  const bytes = input.source.kind === 'inline' ? input.source.content.length : 0;
  const time = Math.ceil((nodes * seconds * weigh(submission)) / 100_000);
  return { time, space: Math.ceil(bytes / 1000) };
}

/** In millionths of a US dollar. All jobs have one core. */
export function costOf(submission: Submission): number | undefined {
  if (!isPriced(submission)) return undefined;
  return Math.ceil(Number(((secondsOf(submission) / 3600) * 100_000).toFixed(6)));
}

/** AWS Batch grants whole minutes. */
function secondsOf(submission: Submission): number {
  const { system, requestedRuntime, className } = submission;
  const unit = isPriced(submission) ? 60 : 1;
  const asked = Math.ceil((requestedRuntime * 3600) / unit) * unit;
  const most = className === 'dear' ? 0.25 : system.grantableRuntime;
  return Math.min(asked, most * 3600);
}

function isPriced({ system }: Submission): boolean {
  return system.connector.kind === 'batch';
}
