import type { Violations } from './rules.ts';
import { roomOf, type SourceFile } from './source-files.ts';

/** Folders that hold so many files that a reader has to search; those below them do not count. */
export function findCrowdedRooms(files: readonly SourceFile[], mostFiles: number): Violations {
  const rooms = Map.groupBy(files, ({ path }) => roomOf(path));
  return [...rooms].filter(([, held]) => held.length > mostFiles).map(([room]) => room);
}
