import type { Path } from '../parsing/syntax.ts';
import type { PageRequest } from '../requests/item-requests.ts';
import {
  type IndexDefinition,
  projectedNames,
  type TableDefinition,
} from '../store/table-definition.ts';
import { invalid, invalidParameter } from '../values/errors.ts';

/** The table or index that a page is read from, and the attributes to return. */
export interface Source {
  readonly table: TableDefinition;
  readonly index: IndexDefinition | undefined;
  readonly paths: readonly Path[] | undefined;
  /** Whether to read the items from the table, because the index lacks requested attributes. */
  readonly fetches: boolean;
  /** Whether items are returned as stored, so that they need not be parsed. */
  readonly isWhole: boolean;
}

export function chooseSource(
  table: TableDefinition,
  request: PageRequest,
  paths: readonly Path[] | undefined,
): Source {
  const { IndexName, Select } = request;
  checkSelect(request);
  const index = IndexName == null ? undefined : findIndex(table, IndexName);
  if (index?.kind === 'global' && request.ConsistentRead) {
    throw invalid('Consistent reads are not supported on global secondary indexes');
  }
  const projected = index && projectedNames(table, index);
  const lacking = projected ? listLacking(projected, paths, Select === 'ALL_ATTRIBUTES') : [];
  if (lacking.length > 0 && index?.kind === 'global') {
    throw Select === 'ALL_ATTRIBUTES'
      ? invalidParameter(
          `Select type ALL_ATTRIBUTES is not supported for global secondary index ${index.name} ` +
            'because its projection type is not ALL',
        )
      : invalidParameter(
          `Global secondary index ${index.name} does not project [${lacking.join(', ')}]`,
        );
  }
  const fetches = lacking.length > 0;
  const isAll = projected === undefined || (fetches && paths === undefined);
  const isWhole = isAll && !paths && request.FilterExpression == null && !fetches;
  return { table, index, paths, fetches, isWhole };
}

function checkSelect({ Select, ProjectionExpression, IndexName }: PageRequest): void {
  if (ProjectionExpression != null && Select != null && Select !== 'SPECIFIC_ATTRIBUTES') {
    throw invalid(`Cannot specify the ProjectionExpression when choosing to get ${Select}`);
  }
  if (Select === 'SPECIFIC_ATTRIBUTES' && ProjectionExpression == null) {
    throw invalid('Must specify the ProjectionExpression when choosing to get SPECIFIC_ATTRIBUTES');
  }
  if (Select === 'ALL_PROJECTED_ATTRIBUTES' && IndexName == null) {
    throw invalidParameter(
      'ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an IndexName',
    );
  }
}

function findIndex(table: TableDefinition, name: string): IndexDefinition {
  const index = table.indexes.find((each) => each.name === name);
  if (!index) throw invalid(`The table does not have the specified index: ${name}`);
  return index;
}

/**
 * Lists requested attributes that the index lacks. Called only if the index does not project all.
 */
function listLacking(
  projected: readonly string[],
  paths: readonly Path[] | undefined,
  wantsAll: boolean,
): string[] {
  if (wantsAll) return ['ALL_ATTRIBUTES'];
  const names = new Set((paths ?? []).map(([name]) => String(name)));
  return [...names].filter((name) => !projected.includes(name));
}
