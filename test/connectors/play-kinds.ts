import type { KindName } from '#lib/catalog/kinds/system-kinds.ts';
import { playScenes } from './play-scenes.ts';
import type { Scene } from './scene.ts';
import type { OpenStagedKind } from './staged-system.ts';

/** Opens each kind as `npm test` plays it. A kind that is missing here does not compile. */
const stages: Readonly<Record<KindName, () => Promise<OpenStagedKind>>> = {
  simulator: async () => (await import('./stages/simulator.ts')).openSimulator,
  machine: async () => (await import('./stages/machine.ts')).openThisMachine,
  slurm: async () => (await import('./stages/slurm.ts')).openImitatedSlurm,
  unicore: async () => (await import('./stages/unicore.ts')).openImitatedUnicore,
  batch: async () => (await import('./stages/batch.ts')).openImitatedBatch,
  nsg: async () => (await import('./stages/nsg.ts')).openImitatedNsg,
};

/** The kinds that each file of short scenes plays, so that several processors share the work. */
export const parts = {
  clusters: ['slurm', 'unicore'],
  gateways: ['batch', 'nsg'],
  'own-machine': ['simulator', 'machine'],
} as const satisfies Readonly<Record<string, readonly KindName[]>>;

export function playKinds(
  kinds: readonly KindName[],
  scenesOf: (kind: KindName) => readonly Scene[],
): void {
  const plays = kinds.map((kind) => {
    const open: OpenStagedKind = async (...given) => (await stages[kind]())(...given);
    return [kind, { open, scenes: scenesOf(kind) }] as const;
  });
  playScenes(Object.fromEntries(plays));
}
