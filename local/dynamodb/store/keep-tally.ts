import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from './database.ts';
import { itemsTable, type TableDefinition } from './table-definition.ts';

/** What to count: the items of some types, in groups. Types and names are those of attributes. */
export interface Tally {
  readonly types: readonly string[];
  /** Texts that tell groups apart, besides the type. Empty for items without them. */
  readonly by: readonly string[];
  /** Whole numbers to add up. */
  readonly sums: readonly string[];
}

export interface TallyGroup {
  /** The values of `by`, and of `type`. */
  readonly by: Readonly<Record<string, string>>;
  readonly items: number;
  readonly sums: Readonly<Record<string, number>>;
}

export interface KeptTally {
  /** Undefined until all items are counted. */
  read(): readonly TallyGroup[] | undefined;
}

/** Items that are counted at a time. Requests wait for some milliseconds meanwhile. */
const stepSize = 500;
const restMs = 10;

/** The place of the count once it has passed all items. */
const everything = Number.MAX_SAFE_INTEGER;

/**
 * Counts the items of a table once, beside other work, and from then on with every write. So reading
 * the groups takes the same time however many items there are. Groups and place are tables in memory
 * that triggers write: a transaction that is rolled back takes its part of them along.
 */
export function keepTally(
  database: Database,
  table: TableDefinition,
  tally: Tally,
  until: AbortSignal,
): KeptTally {
  const statements = writeStatements(itemsTable(table), tally);
  database.execute(statements.prepare);
  let isComplete = false;
  const count = async () => {
    while (!isComplete && !until.aborted && !database.isDamaged) {
      isComplete = database.transact(() => countNext(database, statements));
      if (!isComplete) await sleep(restMs, undefined, { ref: false });
    }
  };
  count().catch((error: unknown) => {
    database.noteFailure(error);
    console.error('Embedded DynamoDB: items could not be counted:', error);
  });
  return {
    read: () =>
      isComplete
        ? database
            .statement(statements.read)
            .all()
            .map((row) => readGroup(row, tally))
        : undefined,
  };
}

/** Counts some more items, in the order of their ids. Returns whether that were the last. */
function countNext(
  database: Database,
  { place, last, count, move }: ReturnType<typeof writeStatements>,
): boolean {
  const after = Number(database.statement(place).get()?.place);
  const found = database.statement(last).get(after, stepSize);
  const to = Number(found?.last ?? after);
  database.run(count, after, to);
  const isComplete = Number(found?.items) < stepSize;
  database.run(move, isComplete ? everything : to);
  return isComplete;
}

/** Writes the SQL. Ids grow, so an item is counted if its id is not behind the place of the count. */
function writeStatements(items: string, { types, by, sums }: Tally) {
  const groups = `tally_of_${items}`;
  const places = `${groups}_place`;
  const texts = ['type', ...by];
  const numbers = ['items', ...sums];
  const quote = (names: readonly string[]) => names.map((name) => `"${name}"`).join(', ');
  const columns = quote([...texts, ...numbers]);
  const textsOf = (item: string) => texts.map((name) => `coalesce(${item} ->> '$.${name}.S', '')`);
  const numbersOf = (item: string) =>
    sums.map((name) => `coalesce(CAST(${item} ->> '$.${name}.N' AS INTEGER), 0)`);
  const isOne = (item: string) =>
    `${item} ->> '$.type.S' IN (${types.map((type) => `'${type}'`).join(', ')})`;
  const add = (amounts: string, condition: string, from = '') => `
    INSERT INTO ${groups} (${columns}) SELECT ${amounts} ${from} WHERE ${condition}
    ON CONFLICT DO UPDATE SET
      ${numbers.map((name) => `"${name}" = "${name}" + excluded."${name}"`).join(', ')}`;
  const note = (row: 'old' | 'new', sign: '+' | '-') => {
    const item = `${row}.item`;
    const amounts = ['1', ...numbersOf(item)].map((amount) => `${sign}${amount}`);
    return `${add([...textsOf(item), ...amounts].join(', '), isOne(item))};`;
  };
  const trigger = (event: string, rows: readonly ('old' | 'new')[], steps: string) => `
    CREATE TEMP TRIGGER ${groups}_${event} AFTER ${event} ON main.${items}
    WHEN (${rows.map((row) => isOne(`${row}.item`)).join(' OR ')})
      AND ${rows[0]}.id <= (SELECT place FROM ${places})
    BEGIN ${steps} END;`;
  const totals = ['count(*)', ...numbersOf('item').map((number) => `sum(${number})`)];
  return {
    prepare: `
      CREATE TEMP TABLE ${groups} (
        ${texts.map((name) => `"${name}" TEXT NOT NULL`).join(', ')},
        ${numbers.map((name) => `"${name}" INTEGER NOT NULL`).join(', ')},
        PRIMARY KEY (${quote(texts)})
      ) WITHOUT ROWID;
      CREATE TEMP TABLE ${places} (place INTEGER NOT NULL);
      INSERT INTO ${places} VALUES (0);
      ${trigger('INSERT', ['new'], note('new', '+'))}
      ${trigger('UPDATE', ['new', 'old'], `${note('old', '-')} ${note('new', '+')}`)}
      ${trigger('DELETE', ['old'], note('old', '-'))}`,
    place: `SELECT place FROM ${places}`,
    last: `SELECT max(id) AS last, count(*) AS items
      FROM (SELECT id FROM main.${items} WHERE id > ? ORDER BY id LIMIT ?)`,
    count: add(
      [...textsOf('item'), ...totals].join(', '),
      `id > ? AND id <= ? AND ${isOne('item')} GROUP BY ${texts.map((_, place) => place + 1).join(', ')}`,
      `FROM main.${items}`,
    ),
    move: `UPDATE ${places} SET place = ?`,
    read: `SELECT ${columns} FROM ${groups} WHERE items > 0`,
  };
}

function readGroup(row: Readonly<Record<string, unknown>>, { by, sums }: Tally): TallyGroup {
  const pick = <T>(names: readonly string[], read: (value: unknown) => T) =>
    Object.fromEntries(names.map((name) => [name, read(row[name])]));
  return { by: pick(['type', ...by], String), items: Number(row.items), sums: pick(sums, Number) };
}
