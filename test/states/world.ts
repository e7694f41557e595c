import { describeTable } from '#local/create-table.ts';
import { type Outcome, runOperation } from '#local/dynamodb/dispatch/run-operation.ts';
import { openEngine } from '#local/dynamodb/embedded-dynamodb.ts';
import { type EncodedKey, encodeItemKey, ItemStore } from '#local/dynamodb/store/item-store.ts';
import type { TableDefinition } from '#local/dynamodb/store/table-definition.ts';
import type { Item } from '#local/dynamodb/values/attribute-value.ts';

export const tableName = 'slipway-states';

/** Everything outside of the processes: the items of the table, and what the HPC system has. */
export interface World {
  readonly id: number;
  /** Items as JSON, by their encoded keys. */
  readonly items: ReadonlyMap<string, string>;
  /** How often the system was given each job, and whether it was told to end it. */
  readonly system: ReadonlyMap<string, RemoteJob>;
}

export interface RemoteJob {
  readonly runs: number;
  readonly cancelled: boolean;
}

/** A call that leaves a process: to the table or to the HPC system. */
export type Call =
  | { readonly to: 'table'; readonly operation: string; readonly request: object }
  | {
      readonly to: 'system';
      readonly operation: 'submit' | 'find' | 'cancel' | 'look up';
      readonly jobId: string;
    };

/** The answer to a call. `name` tells it apart from other answers to the same call. */
export interface Reply {
  readonly name: string;
  readonly outcome: Outcome | { readonly remote: RemoteJob };
}

const engine = openEngine();
runOperation(engine, 'CreateTable', describeTable(tableName));

/** Keeps items in a map, so that a state of the table can be copied, compared and returned to. */
class CopiedItems extends ItemStore {
  items: ReadonlyMap<string, string> = new Map();

  override find(_table: TableDefinition, key: EncodedKey) {
    const text = this.items.get(nameOf(key));
    return text === undefined ? undefined : { id: 0, text, bytes: text.length };
  }

  override save(table: TableDefinition, _before: unknown, item: Item): void {
    this.items = new Map(this.items).set(nameOf(encodeItemKey(table, item)), JSON.stringify(item));
  }

  override delete(table: TableDefinition, { item }: { readonly item: Item }): void {
    const left = new Map(this.items);
    left.delete(nameOf(encodeItemKey(table, item)));
    this.items = left;
  }
}

function nameOf({ hash, range }: EncodedKey): string {
  return `${hash.toString('latin1')} ${range.toString('latin1')}`;
}

const copied = new CopiedItems(engine.database, engine.tables);
const pureEngine = { ...engine, items: copied };

const worlds = new Map<string, World>();
const textNumbers = new Map<string, number>();

function intern(items: ReadonlyMap<string, string>, system: World['system']): World {
  const remote = [...system].map(([jobId, { runs, cancelled }]) => `${jobId} ${runs} ${cancelled}`);
  const name = [...items.values(), ...remote]
    .map((text) => numberOf(text))
    .sort((one, other) => one - other)
    .join();
  const known = worlds.get(name);
  if (known) return known;
  const world = { id: worlds.size, items, system };
  worlds.set(name, world);
  return world;
}

/** Texts of items contain their keys, so a set of texts is a table. */
function numberOf(text: string): number {
  const known = textNumbers.get(text);
  if (known !== undefined) return known;
  textNumbers.set(text, textNumbers.size);
  return textNumbers.size - 1;
}

export const emptyWorld = intern(new Map(), new Map());

/** Makes a call in a world. Returns the world afterwards, and leaves the one before as it was. */
export function makeCall(
  world: World,
  call: Call,
): { readonly world: World; readonly reply: Reply } {
  if (call.to === 'system') return callSystem(world, call);
  copied.items = world.items;
  const outcome = runOperation(pureEngine, call.operation, call.request);
  const name = JSON.stringify(
    outcome.refusal ? [outcome.refusal.type, outcome.refusal.details] : outcome.answer,
  );
  const isChanged = copied.items !== world.items;
  return {
    world: isChanged ? intern(copied.items, world.system) : world,
    reply: { name, outcome },
  };
}

const notThere: RemoteJob = { runs: 0, cancelled: false };

function callSystem(
  world: World,
  { operation, jobId }: Extract<Call, { to: 'system' }>,
): { readonly world: World; readonly reply: Reply } {
  const before = world.system.get(jobId) ?? notThere;
  const remote = {
    runs: before.runs + (operation === 'submit' ? 1 : 0),
    cancelled: before.cancelled || (operation === 'cancel' && before.runs > 0),
  };
  const system = new Map(world.system).set(jobId, remote);
  const isChanged = operation === 'submit' || operation === 'cancel';
  return {
    world: isChanged ? intern(world.items, system) : world,
    reply: { name: JSON.stringify(remote), outcome: { remote } },
  };
}

/** Reads of items that are never changed once written can be made at any moment. */
export function isTimeless(call: Call): boolean {
  if (call.to !== 'table' || call.operation !== 'GetItem') return false;
  return /"SK":\{"S":"(REQUEST|ORDER)#/.test(JSON.stringify(call.request));
}

export function isRead(call: Call): boolean {
  return ['GetItem', 'BatchGetItem', 'find', 'look up'].includes(call.operation);
}
