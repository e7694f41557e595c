import { describe, expect, it } from 'vitest';
import { listeners } from '#functions/listeners.ts';
import { routes } from '#functions/routes.ts';
import { schedules } from '#functions/schedules.ts';
import { streams } from '#functions/streams.ts';
import { declareFallback } from '#infra/constructs/functions/declarations.ts';
import { type Grant, listGrants, type TableUse } from '#lib/table/table-use.ts';

interface Row {
  readonly file: string;
  readonly table?: TableUse;
}

type Declared = Readonly<Record<string, Row>>;

/** Grants by which a function could change what administrators did, or take it away. */
function findForgers(name: string, grants: readonly Grant[]): string[] {
  return grants
    .filter(({ partitions }) => partitions.includes('audit'))
    .flatMap(({ actions }) => actions)
    .filter((action) => action !== 'PutItem' && action !== 'Query')
    .map((action) => `${name}: ${action}`);
}

function findInList(list: Declared): string[] {
  return Object.entries(list).flatMap(([name, { table }]) =>
    findForgers(name, table ? listGrants(table) : []),
  );
}

describe('the audit', () => {
  it.each([
    { what: 'route', list: routes },
    { what: 'schedule', list: schedules },
    { what: 'reader of the stream', list: streams },
    { what: 'listener', list: listeners },
  ] satisfies { what: string; list: Declared }[])('can be changed by no $what', ({ list }) => {
    expect(findInList(list)).toEqual([]);
  });

  it('cannot be changed by $default, which has the rights of several routes', () => {
    expect(findForgers('fallback', declareFallback().tableUses)).toEqual([]);
  });

  it('is written to by somebody, so that this looks at something', () => {
    const uses = Object.values<Row>(routes).map(({ table }) => table);
    expect(uses.filter((use) => use?.appendsTo?.includes('audit')).length).toBeGreaterThan(2);
  });

  it.each([
    { actions: ['UpdateItem'], found: ['a: UpdateItem'] },
    { actions: ['GetItem', 'DeleteItem'], found: ['a: GetItem', 'a: DeleteItem'] },
    { actions: ['Query', 'PutItem'], found: [] },
  ] satisfies { actions: TableUse['actions']; found: string[] }[])(
    'would be found open to $actions',
    ({ actions, found }) => {
      expect(
        findInList({ a: { file: 'a', table: { actions, partitions: ['users', 'audit'] } } }),
      ).toEqual(found);
    },
  );
});
