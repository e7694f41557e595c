import { afterAll, afterEach, beforeAll, beforeEach, describe } from 'vitest';
import type { Table } from '#lib/table/table.ts';
import { type Engine, embedded, engines } from './engines.ts';
import { type OpenedTable, openTableOn } from './open-table-on.ts';

/** Runs a block on each engine that this machine has. The title says where: `bans on $name`. */
export function onEveryEngine(title: string, block: (engine: Engine) => void): void {
  describe.each(engines.filter(({ available }) => available))(title, block);
}

/** Opens the service's own table for each test of a block, and closes it after the test. */
export function tableForEach(engine: Engine = embedded): Table {
  return openBetween(beforeEach, afterEach, engine);
}

/** Opens one table for all tests of a block, and closes it after them. */
export function tableForAll(engine: Engine = embedded): Table {
  return openBetween(beforeAll, afterAll, engine);
}

type Hook = (task: () => Promise<void>) => void;

function openBetween(before: Hook, after: Hook, engine: Engine): Table {
  let opened: OpenedTable;
  before(async () => {
    opened = await openTableOn(engine, 'slipway-test');
  });
  after(() => opened.close());
  return {
    get client() {
      return opened.table.client;
    },
    get name() {
      return opened.table.name;
    },
  };
}
