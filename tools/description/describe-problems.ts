import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { kindOfProblem, problemType } from '#lib/http/problems.ts';
import type { Route } from '#lib/http/routes/route.ts';
import { type ProblemRow, readProblems } from '#lib/reference/problem-section.ts';
import type { JsonSchema } from './component-schemas.ts';

/** Problems that follow from the names in a path. */
const byName: Readonly<Record<string, readonly string[]>> = {
  hpc: ['system-not-found'],
  project_name: ['project-not-found'],
  user_id: ['path-not-found'],
  job_id: ['job-not-found'],
  batch_id: ['batch-not-found'],
  file_id: ['file-not-found'],
  request_id: ['request-not-found'],
  upload_id: ['upload-gone'],
  webhook_id: ['webhook-not-found'],
  delivery_id: ['delivery-not-found'],
};

/** Lists the problems of an operation: those of its declaration, and its own. */
export function listProblems(
  route: Route,
  { names, checksBody }: { readonly names: readonly string[]; readonly checksBody: boolean },
  own: readonly string[] = [],
): string[] {
  return [
    ...new Set([
      'invalid-request',
      ...(route.access === 'public'
        ? []
        : ['invalid-token', 'too-many-calls', 'identity-unavailable', 'unavailable']),
      ...(['leader', 'administrator'].includes(route.access) ? ['not-administrator'] : []),
      ...names.flatMap((name) => byName[name] ?? []),
      ...(checksBody ? ['body-too-large', 'unsupported-body'] : []),
      ...own,
      ...(route.table ? ['unavailable', 'busy'] : []),
      ...(route.table && writes(route) ? ['records-full'] : []),
      'timeout',
      'internal-error',
    ]),
  ];
}

function writes({ table }: Route): boolean {
  return table?.actions.some((action) => action === 'PutItem' || action === 'UpdateItem') ?? false;
}

/** Writes each set of refusals once, because many operations share them. */
export class ComponentResponses {
  readonly all: Record<string, JsonSchema> = {};

  /** Returns one answer for each status, which names its problems. */
  describe(problems: readonly string[]): Record<string, JsonSchema> {
    const byStatus = Map.groupBy(problems, (name) => kindOfProblem(name).status);
    return Object.fromEntries(
      [...byStatus]
        .sort(([a], [b]) => a - b)
        .map(([status, names]) => [String(status), this.#refer(names.toSorted())]),
    );
  }

  #refer(names: readonly string[]): JsonSchema {
    const key = names.join('.');
    this.all[key] ??= describeStatus(names);
    return { $ref: `#/components/responses/${key}` };
  }
}

function describeStatus(names: readonly string[]): JsonSchema {
  const schema = {
    allOf: [
      { $ref: '#/components/schemas/Problem' },
      { type: 'object', properties: { type: { enum: names.map(problemType) } } },
    ],
  };
  const examples = Object.fromEntries(names.map((name) => [name, { value: showProblem(name) }]));
  return {
    description: names.map((name) => `- ${tellProblem(name)}`).join('\n'),
    content: {
      'application/json': { schema, examples },
      'application/problem+json': { schema, examples },
    },
  };
}

function tellProblem(name: string): string {
  const { when, remedy } = problemWords(name);
  return `\`${name}\`: ${when}. **What to do:** ${remedy}.`;
}

/** Returns an example of a problem, as the service writes it. */
function showProblem(name: string): object {
  const { status, title } = kindOfProblem(name);
  const { remedy } = problemWords(name);
  const detail = `${remedy.charAt(0).toUpperCase()}${remedy.slice(1).replaceAll('`', '')}.`;
  const shared = { type: problemType(name), title, status, detail, instance: 'Zk1vSjE0RkFBRVE9' };
  return { ...shared, ...problemMembers[name] };
}

const message = 'It must be a number of hours, at least 0.000001, for example "2.0".';

/** Holds the additional members of problems, by name. */
const problemMembers: Readonly<Record<string, object>> = {
  'invalid-request': {
    detail: `runtime: ${message}`,
    errors: [{ location: 'payload', name: 'runtime', message }],
  },
  'quota-exceeded': {
    project_hpc: 'HPC_ONE',
    project_name: 'proj_hpc_one_01',
    charging: 'node',
    asked: { time: 14_400, space: 1 },
    left: { time: 3600, space: 9_999_999 },
  },
  'budget-spent': {
    estimate: 99.2,
    cost: 3.8,
    budget: 100,
    opens_at: '2026-12-01T00:00:00Z',
  },
  'awaited-failed': { job_id: '3A5F0C1E-9B7D-4E55-8A1C-2D6F90B1C7E4' },
  'too-many-calls': { limit: 10 },
  banned: { reason: 'asked to stop' },
};

const page = join(import.meta.dirname, '../../docs/problems.md');

let known: ReadonlyMap<string, ProblemRow> | undefined;

/** Returns when a problem occurs and what to do, from docs/problems.md, the only source. */
function problemWords(name: string): ProblemRow {
  known ??= new Map(readProblems(readFileSync(page, 'utf8')).map((row) => [row.name, row]));
  const words = known.get(name);
  if (!words) throw new Error(`docs/problems.md has no row of '${name}'.`);
  return words;
}
