import { refuseOverlap } from '../expressions/apply-update.ts';
import { projectItem } from '../expressions/project-item.ts';
import { readScope, resolvePath, type Scope } from '../expressions/scope.ts';
import { type Parsed, parseProjectionText } from '../parsing/parse-expression.ts';
import type { Path } from '../parsing/syntax.ts';
import * as requests from '../requests/item-requests.ts';
import { parseRequest } from '../requests/parse-request.ts';
import type { Engine } from '../store/engine.ts';
import { encodeItemKey, type StoredItem } from '../store/item-store.ts';
import type { TableDefinition } from '../store/table-definition.ts';
import type { Item } from '../values/attribute-value.ts';
import { invalid } from '../values/errors.ts';
import { type Answer, Json } from './answer.ts';
import { readKey } from './check-key.ts';
import { costOfFetch, withCapacities, withCapacity } from './consumed-capacity.ts';
import { refuseRepeatedKeys } from './write-items.ts';

const maxGets = 100;

/** A request to read an item. */
export interface Fetch {
  readonly table: TableDefinition;
  readonly key: Item;
  /** Undefined selects the whole item. */
  readonly paths: readonly Path[] | undefined;
}

export function getItem(engine: Engine, body: unknown): Answer {
  const request = parseRequest(requests.GetItem, body);
  const paths = readProjection(request);
  const table = engine.tables.require(request.TableName);
  const fetch = { table, key: readKey(table, request.Key), paths };
  const found = fetchItem(engine, fetch);
  return withCapacity(
    found ? { Item: showItem(found, paths) } : {},
    request.ReturnConsumedCapacity,
    () => [costOfFetch(table.name, found?.bytes, unitsOf(request.ConsistentRead))],
  );
}

export function batchGetItem(engine: Engine, body: unknown): Answer {
  const request = parseRequest(requests.BatchGetItem, body);
  const groups = Object.entries(request.RequestItems).map(([name, group]) => {
    const paths = readProjection(group);
    const table = engine.tables.require(name);
    const fetches = group.Keys.map((key) => ({ table, key: readKey(table, key), paths }));
    refuseRepeatedKeys(fetches, 'Provided list of item keys contains duplicates');
    return { name, fetches, unitsOfOne: unitsOf(group.ConsistentRead) };
  });
  const asked = groups.reduce((sum, { fetches }) => sum + fetches.length, 0);
  if (asked > maxGets) throw invalid('Too many items requested for the BatchGetItem call');
  const read = groups.map(({ fetches, ...group }) => ({
    ...group,
    found: fetches.map((fetch) => ({ fetch, item: fetchItem(engine, fetch) })),
  }));
  const Responses = Object.fromEntries(
    read.map(({ name, found }) => [
      name,
      found.flatMap(({ fetch, item }) => (item ? [showItem(item, fetch.paths)] : [])),
    ]),
  );
  return withCapacities({ Responses, UnprocessedKeys: {} }, request.ReturnConsumedCapacity, () =>
    read.flatMap(({ name, found, unitsOfOne }) =>
      found.map(({ item }) => costOfFetch(name, item?.bytes, unitsOfOne)),
    ),
  );
}

export function fetchItem({ items }: Engine, { table, key }: Fetch): StoredItem | undefined {
  return items.find(table, encodeItemKey(table, key));
}

export function showItem({ text }: StoredItem, paths: readonly Path[] | undefined): Json {
  return new Json(paths ? JSON.stringify(projectItem(JSON.parse(text), paths)) : text);
}

/** Returns the requested paths with placeholders resolved, or undefined for the whole item. */
export function readProjection({
  ProjectionExpression,
  ExpressionAttributeNames,
}: Pick<requests.PageRequest, 'ProjectionExpression' | 'ExpressionAttributeNames'>):
  | readonly Path[]
  | undefined {
  const parsed = parseProjectionText('ProjectionExpression', ProjectionExpression);
  const scope = readScope({ ExpressionAttributeNames }, [parsed]);
  return parsed && resolveProjection(parsed, scope);
}

export function resolveProjection({ tree }: Parsed<readonly Path[]>, scope: Scope): Path[] {
  const paths = tree.map((path) => resolvePath(scope, path));
  refuseOverlap('ProjectionExpression', paths);
  return paths;
}

function unitsOf(consistent: boolean | null | undefined): number {
  return consistent ? 1 : 0.5;
}
