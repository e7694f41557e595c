import * as v from 'valibot';
import { address, field, section } from './forms.ts';
import type { SystemKind } from './system-kind.ts';

/** A site behind UNICORE's REST interface. */
export const unicore = {
  settings: section({
    kind: v.literal('unicore'),
    baseUrl: field(address, "The address of UNICORE's REST interface, up to /rest/core."),
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
  // UNICORE takes seconds and gives Slurm whole minutes, rounded down. Slurm reads 0 as "no limit".
  runtimeUnitSeconds: 60,
  simulated: false,
  runsAs: ['service', 'mapped'],
  credentials: { service: { username: 'slipway', password: '<password>' } },
  sendsResults: false,
  countsCancelledTime: true,
  cancelKeepsOutput: true,
  trialCommand: 'true',
} as const satisfies SystemKind;
