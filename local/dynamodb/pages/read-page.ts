import { checkCondition } from '../expressions/check-operands.ts';
import { evaluateCondition } from '../expressions/evaluate-condition.ts';
import { projectItem } from '../expressions/project-item.ts';
import { readScope, resolvePath } from '../expressions/scope.ts';
import { type Answer, Json } from '../operations/answer.ts';
import { costOfPage, projectEntry, withCapacity } from '../operations/consumed-capacity.ts';
import { resolveProjection } from '../operations/read-items.ts';
import {
  type Parsed,
  parseConditionText,
  parseProjectionText,
} from '../parsing/parse-expression.ts';
import type { Condition, Path } from '../parsing/syntax.ts';
import { type PageRequest, Query, Scan } from '../requests/item-requests.ts';
import { parseRequest } from '../requests/parse-request.ts';
import type { Engine } from '../store/engine.ts';
import { encodeIndexKey, encodeItemKey, type StoredItem } from '../store/item-store.ts';
import { type Range, readRange } from '../store/read-range.ts';
import {
  type IndexDefinition,
  keyNames,
  pickNames,
  projectedNames,
  type TableDefinition,
} from '../store/table-definition.ts';
import { type Item, typeOf } from '../values/attribute-value.ts';
import { invalid, invalidParameter } from '../values/errors.ts';
import { measureItem } from '../values/measure-item.ts';
import { readItem } from '../values/read-item.ts';
import { chooseSource, type Source } from './choose-source.ts';
import { type KeyRange, readKeyRange } from './key-range.ts';

/** A page ends with the item that reaches this size. */
const maxPageBytes = 1024 * 1024;

export function query(engine: Engine, body: unknown): Answer {
  const request = parseRequest(Query, body);
  const condition = parseConditionText('KeyConditionExpression', request.KeyConditionExpression);
  return readPage(engine, request, condition, request.ScanIndexForward === false);
}

export function scan(engine: Engine, body: unknown): Answer {
  return readPage(engine, parseRequest(Scan, body), undefined, false);
}

function readPage(
  engine: Engine,
  request: PageRequest,
  condition: Parsed<Condition> | undefined,
  descending: boolean,
): Answer {
  const filter = parseConditionText('FilterExpression', request.FilterExpression);
  const projection = parseProjectionText('ProjectionExpression', request.ProjectionExpression);
  const scope = readScope(request, [condition, filter, projection]);
  for (const each of [condition, filter]) if (each) checkCondition(each, scope);
  const table = engine.tables.require(request.TableName);
  const paths = projection && resolveProjection(projection, scope);
  const source = chooseSource(table, request, paths);
  const { index } = source;
  const keys = condition && readKeyRange(index ?? table, condition, scope);
  const range: Range = {
    table,
    index,
    ...keys,
    descending,
    after: readStartKey(table, index, request.ExclusiveStartKey, keys),
  };
  if (filter && condition) {
    const names = listNames(filter.tree).map((path) => String(resolvePath(scope, path)[0]));
    refuseKeysInFilter(index ?? table, names);
    if (index) refuseUnprojected(table, index, names);
  }
  const page = collect(engine, range, source, request.Limit ?? undefined, (item) =>
    filter ? evaluateCondition(filter.tree, item, scope) : true,
  );
  return withCapacity(
    {
      ...(request.Select !== 'COUNT' && { Items: page.shown }),
      Count: page.shown.length,
      ScannedCount: page.scanned,
      ...(page.last && { LastEvaluatedKey: lastKeyOf(table, index, JSON.parse(page.last.text)) }),
    },
    request.ReturnConsumedCapacity,
    () => costOfPage({ table, index, consistent: request.ConsistentRead ?? false, ...page }),
  );
}

/** Reads until the page is full. Items that the filter hides count towards the limits too. */
function collect(
  { database }: Engine,
  range: Range,
  source: Source,
  limit: number | undefined,
  isShown: (item: Item) => boolean,
) {
  const shown: Json[] = [];
  const fetched: number[] = [];
  let bytes = 0;
  let scanned = 0;
  let last: StoredItem | undefined;
  for (const stored of readRange(database, range)) {
    const entry = source.isWhole ? undefined : openEntry(source, stored);
    scanned += 1;
    bytes += entry?.bytes ?? stored.bytes;
    if (source.fetches) fetched.push(stored.bytes);
    if (!entry) shown.push(new Json(stored.text));
    else if (isShown(entry.seen)) shown.push(showEntry(source, entry.seen));
    if (scanned === limit || bytes >= maxPageBytes) {
      last = stored;
      break;
    }
  }
  return { shown, scanned, bytes, fetched, last };
}

/** Returns the part of an item that the filter and the projection may read, and its billed size. */
function openEntry({ table, index, fetches }: Source, stored: StoredItem) {
  const item: Item = JSON.parse(stored.text);
  if (!index || index.projection === 'ALL') return { seen: item, bytes: stored.bytes };
  const entry = projectEntry(table, index, item);
  return { seen: fetches ? item : entry, bytes: measureItem(entry) };
}

function showEntry({ paths }: Source, seen: Item): Json {
  return new Json(JSON.stringify(paths ? projectItem(seen, paths) : seen));
}

function refuseKeysInFilter(
  { hash, range }: TableDefinition | IndexDefinition,
  names: readonly string[],
): void {
  const key = [hash.name, range?.name].find((name) => name !== undefined && names.includes(name));
  if (key === undefined) return;
  throw invalid(
    'Filter Expression can only contain non-primary key attributes: ' +
      `Primary key attribute: ${key}`,
  );
}

/** A filter sees the entries of the index, even if other attributes are read from the table. */
function refuseUnprojected(
  table: TableDefinition,
  index: IndexDefinition,
  names: readonly string[],
): void {
  const projected = projectedNames(table, index);
  const lacking = projected ? names.filter((name) => !projected.includes(name)) : [];
  if (lacking.length === 0) return;
  throw invalidParameter(
    `Secondary index ${index.name} does not project one or more filter attributes: ` +
      `[${[...new Set(lacking)].join(', ')}]`,
  );
}

function listNames(condition: Condition): Path[] {
  switch (condition.kind) {
    case 'and':
    case 'or':
      return [...listNames(condition.one), ...listNames(condition.other)];
    case 'not':
      return listNames(condition.condition);
    case 'exists':
      return [condition.path];
    default:
      return Object.values(condition)
        .flat()
        .flatMap((operand) =>
          typeof operand === 'object' && 'path' in operand ? [operand.path] : [],
        );
  }
}

/** Reads the start key of a page, which is the last key of the previous page. */
function readStartKey(
  table: TableDefinition,
  index: IndexDefinition | undefined,
  raw: unknown,
  keys: KeyRange | undefined,
): Range['after'] {
  if (raw === undefined || raw === null) return undefined;
  const start = readItem(raw);
  const attributes = [table.hash, table.range, index?.hash, index?.range].filter(
    (attribute) => attribute !== undefined,
  );
  const names = new Set(attributes.map(({ name }) => name));
  const fits =
    Object.keys(start).length === names.size &&
    attributes.every(({ name, type }) => {
      const value = start[name];
      return value !== undefined && typeOf(value) === type;
    });
  if (!fits) throw invalid('The provided starting key is invalid');
  const item = encodeItemKey(table, start);
  const entry = index ? encodeIndexKey(index, start) : item;
  if (!entry || (keys && !entry.hash.equals(keys.hash))) {
    throw invalid(
      'The provided starting key is outside query boundaries based on provided conditions',
    );
  }
  return { entry, item };
}

/** Picks the key attributes of the table and the index, which identify a position. */
function lastKeyOf(table: TableDefinition, index: IndexDefinition | undefined, item: Item): Item {
  return pickNames(item, [...keyNames(table), ...(index ? keyNames(index) : [])]);
}
