import * as v from 'valibot';
import { batch } from './aws-batch.ts';
import { machine } from './machine.ts';
import { nsg } from './nsg.ts';
import { simulator } from './simulator.ts';
import { slurm } from './slurm.ts';
import type { SystemKind } from './system-kind.ts';
import { unicore } from './unicore.ts';

/** All kinds of systems. lib/hpc/open/open-connector.ts needs a connector for each to compile. */
const kinds = { simulator, machine, slurm, batch, unicore, nsg } as const satisfies Record<
  string,
  SystemKind
>;

export type KindName = keyof typeof kinds;

export const systemKinds: Readonly<Record<KindName, SystemKind>> = kinds;

export const kindNames = Object.keys(kinds).filter(isKindName);

/** Accepts the settings of any kind; `kind` tells which. */
export const ConnectorSchema = v.variant(
  'kind',
  Object.values(kinds).map(({ settings }) => settings),
  writeAlternatives(kindNames),
);

/** Returns undefined for a kind that does not exist, as a catalog with a mistake may name one. */
export function findKind(name: string): SystemKind | undefined {
  return isKindName(name) ? kinds[name] : undefined;
}

function isKindName(name: string): name is KindName {
  return Object.hasOwn(kinds, name);
}

/** `"simulator", "slurm" or "nsg"` */
function writeAlternatives(names: readonly string[]): string {
  const quoted = names.map((name) => `"${name}"`);
  return [quoted.slice(0, -1).join(', '), ...quoted.slice(-1)].join(' or ');
}
