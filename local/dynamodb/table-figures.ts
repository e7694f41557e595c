import type { Replica } from './replica/replica.ts';
import type { Backlog } from './store/change-stream.ts';
import type { Engine } from './store/engine.ts';
import { type KeptTally, keepTally, type Tally } from './store/keep-tally.ts';
import { measureIndex } from './store/measure-index.ts';

/** What monitoring asks of the embedded table. Nothing here reads many items at a time. */
export interface TableFigures {
  keepTally(table: string, tally: Tally): KeptTally;
  measureIndex(
    table: string,
    index: string,
    range: { readonly partitions: readonly string[]; readonly to: string },
  ): ReturnType<typeof measureIndex>;
  listBacklog(): readonly Backlog[];
  /** False while the disk is full, and after damage. */
  canWrite(): boolean;
  /** Undefined if there is no replica. */
  readonly readReplica: Replica['readFigures'] | undefined;
}

/** `until` ends the counting that goes on beside other work. */
export function openTableFigures(
  { database, tables, stream }: Engine,
  until: AbortSignal,
  replica?: Replica,
): TableFigures {
  return {
    keepTally: (table, tally) => keepTally(database, tables.require(table), tally, until),
    measureIndex: (table, index, range) =>
      measureIndex(database, tables.require(table), index, range),
    listBacklog: () => stream?.listBacklog() ?? [],
    canWrite: () => database.canWrite(),
    readReplica: replica && (() => replica.readFigures()),
  };
}
