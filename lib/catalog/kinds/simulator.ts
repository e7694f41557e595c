import * as v from 'valibot';
import { runtimes } from './containers.ts';
import { section } from './forms.ts';
import type { SystemKind } from './system-kind.ts';

/** A system that only keeps the time. It imitates other kinds, so its words are the catalog's. */
export const simulator = {
  settings: section({ kind: v.literal('simulator') }),
  stages: {},
  runtimeUnitSeconds: 1,
  offers: ['memoryPerNode', 'gpusPerNode', 'classes', 'datasets', 'keep'],
  runtimes,
  simulated: true,
  runsAs: ['service', 'mapped'],
  sendsResults: false,
  // It forgets a job that it cancels, so the time that the job was seen running must do.
  countsCancelledTime: false,
  cancelKeepsOutput: true,
} as const satisfies SystemKind;
