import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import type { Stage } from './stage.ts';

/** Something that every kind of system must be able to go through. */
export interface Scene {
  /** The name of its file. */
  readonly name: string;
  /** What holds, as a sentence of a report. */
  readonly title: string;
  /** True if `npm run suite -- long` plays it, because it takes a minute or seconds of a processor. */
  readonly isLong?: boolean;
  /** What the catalog says of inputs besides their hosts. */
  readonly inputs?: Omit<NonNullable<HpcSystem['inputs']>, 'hosts'>;
  /** What the catalog says of its system, for kinds that can have it. */
  readonly entry?: Partial<HpcSystem>;
  play(stage: Stage): Promise<void>;
}
