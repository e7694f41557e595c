import * as v from 'valibot';
import { ownRuntime } from './containers.ts';
import {
  defaultImage,
  defaultMemoryPerCore,
  memoryPerCoreBounds,
  mostCores,
  mostMemory,
} from './fargate.ts';
import {
  field,
  matching,
  numberFrom,
  optional,
  section,
  text,
  trueOrFalse,
  wholeNumber,
} from './forms.ts';
import type { SettingsDraft, SystemKind } from './system-kind.ts';

const { least, most } = memoryPerCoreBounds;

const dollars = numberFrom(0, 1000);

/** What AWS charges for a container. */
export const PriceEntry = section({
  coreHour: field(dollars, 'US dollars for an hour of a core.'),
  gbHour: field(dollars, 'US dollars for an hour of a gigabyte of memory.'),
});

/** Containers on Fargate, run by AWS Batch. */
export const batch = {
  settings: section({
    kind: v.literal('batch'),
    image: optional(
      matching(/^[a-zA-Z0-9][a-zA-Z0-9._:/@-]{0,254}$/, 'the address of a container image'),
      `The image that jobs run in. It needs python3 (default: ${defaultImage}).`,
    ),
    memoryPerCore: optional(
      numberFrom(least, most),
      `Gigabytes of memory for each core (default: ${defaultMemoryPerCore}). Cores and memory are rounded up to a size of Fargate.`,
    ),
    spot: optional(
      trueOrFalse(),
      'Whether jobs run on spare capacity, which costs less and may be reclaimed (default: false).',
    ),
    queue: optional(
      text(256),
      'The name or ARN of a job queue that exists already. Without it, the deployment creates one.',
    ),
    jobDefinition: optional(
      text(256),
      'The name or ARN of the job definition for a queue that exists already.',
    ),
    price: optional(
      PriceEntry,
      "The prices for estimates of a month's costs (default: Fargate on demand in us-east-1).",
    ),
    pollFloorSeconds: optional(
      wholeNumber(1, 3600),
      'The shortest time between two checks of a job, in seconds (default: 30).',
    ),
    liveOutput: optional(
      trueOrFalse(),
      'Whether jobs send their output while somebody follows it (default: true).',
    ),
  }),
  judgeSettings: judgeQueue,
  stages: {
    QUEUED: 'waiting',
    STARTING: 'starting',
    RUNNING: 'running',
    SUCCESSFUL: 'done',
    FAILED: 'failed',
  },
  program: 'command',
  limits: { nodes: 1, coresPerNode: mostCores },
  offers: ['memoryPerNode', 'classes', 'datasets', 'keep', 'outputs'],
  wantsKeptPath: () => 'name where the job definition mounts the folders of projects',
  runtimes: [ownRuntime],
  mostMemory,
  classSettings: ['queue', 'price'],
  // The least `attemptDurationSeconds`.
  runtimeUnitSeconds: 60,
  simulated: false,
  runsAs: ['service'],
  sendsResults: true,
  fetchesScript: true,
  countsCancelledTime: true,
  cancelKeepsOutput: true,
  // The limit of AWS Batch. It has no limit for tasks that run at once.
  arraySize: 10_000,
  trialCommand: 'true',
} as const satisfies SystemKind;

/** A queue needs a job definition that fits it, so the deployment creates both or neither. */
function judgeQueue({ texts: { queue, jobDefinition } }: SettingsDraft) {
  if ((queue === undefined) === (jobDefinition === undefined)) return [];
  const [setting, other] =
    queue === undefined ? ['queue', 'jobDefinition'] : ['jobDefinition', 'queue'];
  return [{ setting, text: `is missing; name it beside ${other}, or leave both out` }];
}
