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

/** What is only ever added to: acts, and the lines of ledgers. */
const kinds = ['audit', 'ledgers'] as const;
type Kind = (typeof kinds)[number];

/** Reading changes nothing. */
const harmless: Readonly<Record<Kind, readonly string[]>> = {
  audit: ['BatchGetItem', 'PutItem', 'Query'],
  ledgers: ['BatchGetItem', 'GetItem', 'PutItem', 'Query'],
};

/** Grants by which a function could change what was written there, or take it away. */
function findForgers(kind: Kind, name: string, grants: readonly Grant[]): string[] {
  return grants
    .filter(({ partitions }) => partitions.includes(kind))
    .flatMap(({ actions }) => actions)
    .filter((action) => !harmless[kind].includes(action))
    .map((action) => `${name}: ${action}`);
}

function findInList(kind: Kind, list: Declared): string[] {
  return Object.entries(list).flatMap(([name, { table }]) =>
    findForgers(kind, name, table ? listGrants(table) : []),
  );
}

describe.each(kinds)('of %s', (kind) => {
  it.each([
    { what: 'route', list: routes },
    { what: 'schedule', list: schedules },
    { what: 'reader of the stream', list: streams },
    { what: 'listener', list: listeners },
  ] satisfies { what: string; list: Declared }[])('no $what can change anything', ({ list }) => {
    expect(findInList(kind, list)).toEqual([]);
  });

  it('$default, which has the rights of several routes, can change nothing', () => {
    expect(findForgers(kind, 'fallback', declareFallback().tableUses)).toEqual([]);
  });

  it('somebody writes, so that this looks at something', () => {
    const uses = Object.values<Row>(routes).map(({ table }) => table);
    expect(uses.filter((use) => use?.appendsTo?.includes(kind)).length).toBeGreaterThan(2);
  });

  it.each([
    { actions: ['UpdateItem'], found: ['a: UpdateItem'] },
    { actions: ['Query', 'DeleteItem'], found: ['a: DeleteItem'] },
    { actions: ['Query', 'PutItem'], found: [] },
  ] satisfies { actions: TableUse['actions']; found: string[] }[])(
    'it would be found that $actions can',
    ({ actions, found }) => {
      const table: TableUse = { actions, partitions: ['users', kind] };
      expect(findInList(kind, { a: { file: 'a', table } })).toEqual(found);
    },
  );
});

it('an act is not looked up by itself', () => {
  const table: TableUse = { actions: ['GetItem'], partitions: ['audit'] };
  expect(findInList('audit', { a: { file: 'a', table } })).toEqual(['a: GetItem']);
});
