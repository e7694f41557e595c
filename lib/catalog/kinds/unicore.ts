import * as v from 'valibot';
import { runtimes } from './containers.ts';
import { environmentSettings } from './environment.ts';
import { address, field, optional, section, trueOrFalse, wholeNumber } from './forms.ts';
import type { SystemKind } from './system-kind.ts';

/** A site behind UNICORE's REST interface. */
export const unicore = {
  settings: section({
    kind: v.literal('unicore'),
    baseUrl: field(address, "The address of UNICORE's REST interface, up to /rest/core."),
    pollFloorSeconds: optional(
      wholeNumber(1, 3600),
      'The shortest time between two checks of a job, in seconds (default: 30).',
    ),
    ...environmentSettings,
    movesOwnFiles: optional(
      trueOrFalse(),
      'Whether jobs fetch their input from this service and send their results to it, which needs nodes that reach this service (default: false).',
    ),
  }),
  stages: {
    READY: 'waiting',
    STAGINGIN: 'starting',
    QUEUED: 'waiting',
    RUNNING: 'running',
    STAGINGOUT: 'finishing',
    SUCCESSFUL: 'done',
    FAILED: 'failed',
  },
  program: 'command',
  offers: ['datasets', 'outputs'],
  runtimes,
  // UNICORE takes seconds and gives Slurm whole minutes, rounded down. Slurm reads 0 as "no limit".
  runtimeUnitSeconds: 60,
  simulated: false,
  runsAs: ['service', 'mapped'],
  credentials: { service: { username: 'slipway', password: '<password>' } },
  sendsResults: false,
  countsCancelledTime: true,
  cancelKeepsOutput: true,
  keepsJobs: true,
  trialCommand: 'true',
} as const satisfies SystemKind;
