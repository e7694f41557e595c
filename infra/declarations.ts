import { routeNames, routes } from '../functions/routes.ts';
import type { Schedule } from '../functions/schedules.ts';
import type { Route } from '../lib/http/route.ts';
import type { TableUse } from '../lib/table/table-use.ts';

/** What a function says of itself, as far as its environment and its role follow from it. */
export interface Declaration {
  /** The file under functions/, without its ending. */
  readonly file: string;
  /** Whether it verifies tokens. */
  readonly identity: boolean;
  readonly tableUses: readonly TableUse[];
  /** Whether it signs cursors. */
  readonly pages: boolean;
  /** Whether it reads the credentials of HPC systems. */
  readonly secrets: boolean;
}

export function declareRoute({ file, access, table, pages = false }: Route): Declaration {
  return {
    file,
    identity: access !== 'public',
    tableUses: table ? [table] : [],
    pages,
    secrets: false,
  };
}

export function declareSchedule({ file, table, secrets = false }: Schedule): Declaration {
  return { file, identity: false, tableUses: [table], pages: false, secrets };
}

/** `$default` may call every handler, so it may do what each of them may, and no more. */
export function declareFallback(): Declaration {
  const all = routeNames.map((name) => declareRoute(routes[name]));
  return {
    file: 'fallback',
    identity: all.some(({ identity }) => identity),
    tableUses: dropCovered(all.flatMap(({ tableUses }) => tableUses)),
    pages: all.some(({ pages }) => pages),
    secrets: false,
  };
}

/** Without those that another one holds already; of two that hold each other the first stays. */
export function dropCovered(uses: readonly TableUse[]): TableUse[] {
  return uses.filter(
    (use, index) =>
      !uses.some(
        (other, place) =>
          place !== index && covers(other, use) && (place < index || !covers(use, other)),
      ),
  );
}

function covers(wide: TableUse, narrow: TableUse): boolean {
  return (
    narrow.actions.every((action) => wide.actions.includes(action)) &&
    narrow.partitions.every((kind) => wide.partitions.includes(kind))
  );
}
