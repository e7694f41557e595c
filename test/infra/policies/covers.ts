import { partitionPatterns } from '#lib/table/keys.ts';
import type { Grant } from '#lib/table/table-use.ts';
import type { ItemUse, ServiceCall } from '#test/recording/service-call.ts';
import { type Declared, places } from '../functions-of.ts';
import { matchesPattern } from './match-pattern.ts';

/** Whether a function declares that it makes such a call; the templates are not looked at. */
export function covers(declared: Declared, call: ServiceCall): boolean {
  switch (call.to) {
    case 'table':
      return call.uses.every((use) => declared.tableUses.some((grant) => grants(grant, use)));
    case 'inputs':
    case 'results':
      return (declared.files[call.to] ?? []).some((action) => action === actionOf(call.method));
    case 'aws-batch':
      return declared.awsBatch.some((action) => action === call.action);
    case 'bus':
      return declared.publishes;
    case 'secrets':
      return declared.readsSecrets;
  }
}

/** All its partitions by one grant: so it is one transaction. */
function grants({ actions, partitions }: Grant, { action, index, partitions: used }: ItemUse) {
  const kinds = partitions.filter((kind) => isAt(places[kind], index));
  return (
    actions.some((each) => each === action) &&
    used.length > 0 &&
    used.every((key) => kinds.some((kind) => matchesPattern(partitionPatterns[kind], key)))
  );
}

/** Local indexes have the partitions of the table, and global ones their own. */
function isAt(place: (typeof places)[keyof typeof places], index: string | undefined): boolean {
  const globals = Object.values(places).flatMap((each) => (each === 'table' ? [] : [each.index]));
  if (index === undefined || !globals.includes(index)) return place === 'table';
  return place !== 'table' && place.index === index;
}

function actionOf(method: string): string {
  const actions: Readonly<Record<string, string>> = {
    DELETE: 'DeleteObject',
    POST: 'PutObject',
    PUT: 'PutObject',
  };
  return actions[method] ?? 'GetObject';
}
