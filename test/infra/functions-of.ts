import { type Listener, listeners } from '#functions/listeners.ts';
import { routeNames, routes } from '#functions/routes.ts';
import { type AwsBatchAction, type Schedule, schedules } from '#functions/schedules.ts';
import { type StreamReader, streams } from '#functions/streams.ts';
import type { FileAction, FileUse } from '#lib/files/file-use.ts';
import { gatewayKeys } from '#lib/http/routes/gateway-keys.ts';
import type { Route } from '#lib/http/routes/route.ts';
import type { PartitionKind } from '#lib/table/keys.ts';
import type { Grant, TableUse } from '#lib/table/table-use.ts';
import { findByPath, joinServing, type Resource, type Templates } from './synthesize.ts';

/** What a function declares, read from the four lists and from nothing in infra/. */
export interface Declared {
  readonly name: string;
  readonly file: string;
  readonly verifiesTokens: boolean;
  readonly tableUses: readonly Grant[];
  readonly readsStream: boolean;
  readonly files: FileUse;
  readonly signsCursors: boolean;
  readonly checksPasses: boolean;
  readonly handsOver: boolean;
  readonly readsSecrets: boolean;
  readonly namesSignIn: boolean;
  readonly publishes: boolean;
  /** What it asks of AWS Batch, where the catalog has a system there. */
  readonly awsBatch: readonly AwsBatchAction[];
  /** Whether what it could not be told is put aside. */
  readonly hasDeadLetters: boolean;
  readonly seconds: number;
}

/** Where partitions of each kind are: in the table, or in one of its global indexes alone. */
export const places: Record<PartitionKind, 'table' | { readonly index: string }> = {
  users: 'table',
  ledgers: 'table',
  logins: 'table',
  identities: 'table',
  user_counter: 'table',
  counters: 'table',
  data: 'table',
  audit: 'table',
  budgets: 'table',
  calls: 'table',
  due: { index: 'due' },
  project_jobs: { index: 'project_jobs' },
  projects: 'table',
  registry: { index: 'registry' },
  simulators: 'table',
  systems: 'table',
  spending: 'table',
  statements: 'table',
  usage: 'table',
  webhooks: 'table',
};

const plain = {
  verifiesTokens: false,
  tableUses: [],
  readsStream: false,
  files: {},
  signsCursors: false,
  checksPasses: false,
  handsOver: false,
  readsSecrets: false,
  namesSignIn: false,
  publishes: false,
  awsBatch: [],
  hasDeadLetters: false,
};

/** Whoever knows its callers, and has the table, counts their calls. */
export const counting: Grant = { actions: ['UpdateItem'], partitions: ['calls'] };

/** Whoever has the table checks which steps its data has taken. */
const checking: Grant = { actions: ['GetItem'], partitions: ['data'] };

const declaredRoutes = routeNames.map((name): Declared & { readonly isBare: boolean } => {
  const route: Route = routes[name];
  const { method, paths, file, access, table, files = {} } = route;
  const { pages, passes, secrets, namesSignIn, takesLong } = route;
  const bases = new Set(gatewayKeys(route).map((key) => key.replace('/{proxy+}', '')));
  return {
    ...plain,
    name,
    isBare: Object.values(paths).some((path) =>
      bases.has(`${method} ${path.replace(/\[.*/, '').replace(/\/$/, '')}`),
    ),
    file,
    verifiesTokens: access !== 'public',
    tableUses: table
      ? [...grantsOf(table), ...(access === 'public' ? [] : [counting]), checking]
      : [],
    files,
    signsCursors: pages === true,
    checksPasses: passes === true,
    readsSecrets: secrets === true,
    namesSignIn: namesSignIn === true,
    seconds: secrets || takesLong ? 28 : 10,
  };
});

const declaredSchedules: Declared[] = Object.entries<Schedule>(schedules).map(
  ([name, { file, table, files = {}, secrets, handsOver, awsBatch = [] }]) => ({
    ...plain,
    name,
    file,
    tableUses: [...grantsOf(table), checking],
    files,
    handsOver: handsOver === true,
    readsSecrets: secrets === true,
    awsBatch,
    seconds: secrets ? 300 : 60,
  }),
);

const declaredReaders: Declared[] = Object.entries<StreamReader>(streams).map(
  ([name, { file, publishes, takenUpBy }]) => ({
    ...plain,
    name,
    file,
    readsStream: true,
    publishes: publishes === true,
    hasDeadLetters: takenUpBy === undefined,
    seconds: 60,
  }),
);

const declaredListeners: Declared[] = Object.entries<Listener>(listeners).map(
  ([name, { file, table, files = {}, secrets, handsOver, awsBatch = [], takenUpBy, fetches }]) => ({
    ...plain,
    name,
    file,
    tableUses: [...grantsOf(table), checking],
    files,
    handsOver: handsOver === true,
    readsSecrets: secrets === true,
    awsBatch,
    hasDeadLetters: takenUpBy === undefined,
    seconds: fetches ? 900 : secrets ? 300 : 60,
  }),
);

/** Every function but `$default`. */
export const declaredFunctions = [
  ...declaredRoutes,
  ...declaredSchedules,
  ...declaredReaders,
  ...declaredListeners,
];

/** Those whose fixed beginning is a path by itself. */
export const bareRoutes = declaredRoutes.filter(({ isBare }) => isBare);

/** `$default` calls the handlers of bare routes: of no other can the gateway miss the key. */
export const fallback: Declared = {
  ...plain,
  name: 'fallback',
  file: 'fallback',
  verifiesTokens: true,
  tableUses: bareRoutes.flatMap(({ tableUses }) => tableUses),
  files: {
    inputs: actionsOn(({ inputs }) => inputs),
    results: actionsOn(({ results }) => results),
  },
  signsCursors: true,
  namesSignIn: bareRoutes.some(({ namesSignIn }) => namesSignIn),
  readsSecrets: bareRoutes.some(({ readsSecrets }) => readsSecrets),
  seconds: Math.max(...bareRoutes.map(({ seconds }) => seconds)),
};

/** Single items that it only looks up, new ones where it only appends, queries where it only reads. */
function grantsOf({ actions, partitions, looksUp, appendsTo, queries }: TableUse): Grant[] {
  const apart = [
    { action: 'GetItem', also: looksUp },
    { action: 'BatchGetItem', also: actions.includes('BatchGetItem') ? looksUp : undefined },
    { action: 'PutItem', also: appendsTo },
    { action: 'Query', also: queries },
  ] as const;
  const wider = apart.filter(({ also }) => also !== undefined);
  const others = actions.filter((each) => !wider.some(({ action }) => action === each));
  return [
    ...(others.length > 0 ? [{ actions: others, partitions }] : []),
    ...wider.map(({ action, also = [] }) => ({
      actions: [action],
      partitions: actions.includes(action) ? [...partitions, ...also] : also,
    })),
  ];
}

function actionsOn(pick: (use: FileUse) => readonly FileAction[] | undefined): FileAction[] {
  return [...new Set(bareRoutes.flatMap(({ files }) => pick(files) ?? []))];
}

/** What a function that verifies tokens does where the service gives users their numbers. */
const naming: Grant[] = [
  { actions: ['BatchGetItem', 'GetItem', 'PutItem'], partitions: ['identities'] },
  { actions: ['UpdateItem'], partitions: ['user_counter'] },
];

/** The same function there: all that know their callers have the table then, and count their calls. */
export function letAssign(declared: Declared): Declared {
  const { verifiesTokens, tableUses } = declared;
  if (!verifiesTokens) return declared;
  const others = tableUses.filter((use) => use !== counting && use !== checking);
  return { ...declared, tableUses: [...others, ...naming, counting, checking] };
}

export const allFunctions = [...declaredFunctions, fallback];

export function lambdaOf(templates: Templates, name: string): Resource {
  return findByPath(joinServing(templates), `${name}/Function/Resource`)[1];
}
