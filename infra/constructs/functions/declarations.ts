import type { Listener } from '#functions/listeners.ts';
import { bareRouteNames, routes } from '#functions/routes.ts';
import type { AwsBatchAction, Schedule } from '#functions/schedules.ts';
import type { StreamReader } from '#functions/streams.ts';
import { fetchingDiskMegabytes, timeLimits } from '#infra/settings/limits.ts';
import type { FileAction, FileUse } from '#lib/files/file-use.ts';
import type { Route } from '#lib/http/routes/route.ts';
import { type Grant, listGrants, type TableAction } from '#lib/table/table-use.ts';
import { countingGrants, namingGrants } from '#lib/users/table-grants.ts';

/** The part of a function's declaration that decides its environment and role. */
export interface Declaration {
  /** The file under functions/, without its extension. */
  readonly file: string;
  /** Whether it verifies tokens. */
  readonly identity?: boolean | undefined;
  readonly tableUses: readonly Grant[];
  /** Whether it receives changes of the table. */
  readonly readsStream?: boolean | undefined;
  readonly files: FileUse;
  /** Whether it signs cursors. */
  readonly pages?: boolean | undefined;
  /** Whether it checks the passes of jobs. */
  readonly passes?: boolean | undefined;
  /** Whether it hands over jobs and creates their passes. */
  readonly handsOver?: boolean | undefined;
  /** Whether it reads the credentials of HPC systems. */
  readonly secrets?: boolean | undefined;
  /** Whether it knows the month's budget for jobs. */
  readonly keepsBudget?: boolean | undefined;
  /** Whether it tells clients where users sign in. */
  readonly namesSignIn?: boolean | undefined;
  /** Whether it knows if the service sends mail. */
  readonly tellsByMail?: boolean | undefined;
  /** Whether it sends mail. */
  readonly sendsMail?: boolean | undefined;
  /** Whether it sends events to the bus. */
  readonly publishes?: boolean | undefined;
  /** Whether it calls HPC systems or webhook receivers, not only AWS and the issuer. */
  readonly callsOut?: boolean | undefined;
  /** What it asks of AWS Batch. */
  readonly awsBatch?: readonly AwsBatchAction[] | undefined;
  /** Whether Lambda logs only those of its runs that fail. */
  readonly quiet?: boolean | undefined;
  readonly timeoutSeconds: number;
  /** The size of its disk, if it needs more than every function has. */
  readonly diskMegabytes?: number | undefined;
}

export function declareRoute(route: Route): Declaration {
  const { file, access, table, files = {}, pages, passes, secrets } = route;
  const { keepsBudget, namesSignIn, takesLong, tellsByMail } = route;
  return {
    file,
    identity: access !== 'public',
    tableUses: table ? listGrants(table) : [],
    files,
    pages,
    passes,
    secrets,
    keepsBudget,
    namesSignIn,
    tellsByMail,
    callsOut: secrets,
    timeoutSeconds: secrets || takesLong ? timeLimits.longAnswer : timeLimits.answer,
  };
}

export function declareStream({ file, publishes }: StreamReader): Declaration {
  const timeoutSeconds = timeLimits.work;
  return { file, tableUses: [], files: {}, readsStream: true, publishes, timeoutSeconds };
}

export function declareWork(work: Schedule | Listener): Declaration {
  const { file, table, files = {}, secrets, handsOver, pushes, awsBatch } = work;
  const { tellsByMail, sendsMail, fetches } = work;
  const timeForSystem = fetches ? timeLimits.fetching : timeLimits.workOnSystem;
  const timeoutSeconds = secrets ? timeForSystem : timeLimits.work;
  const callsOut = secrets || pushes;
  return {
    file,
    tableUses: listGrants(table),
    files,
    secrets,
    handsOver,
    callsOut,
    awsBatch,
    tellsByMail,
    sendsMail,
    // The clock calls every minute, and mostly there is nothing to do.
    quiet: 'everyMinutes' in work,
    timeoutSeconds,
    ...(fetches && { diskMegabytes: fetchingDiskMegabytes }),
  };
}

/**
 * Declares `$default`. It calls the handlers of bare routes, so it gets the union of their
 * permissions.
 */
export function declareFallback(): Declaration {
  const all = bareRouteNames.map((name) => declareRoute(routes[name]));
  return {
    file: 'fallback',
    identity: all.some(({ identity }) => identity),
    tableUses: dropCovered(uniteReads(all.flatMap(({ tableUses }) => tableUses))),
    files: uniteFiles(all.map(({ files }) => files)),
    pages: all.some(({ pages }) => pages),
    passes: all.some(({ passes }) => passes),
    secrets: all.some(({ secrets }) => secrets),
    keepsBudget: all.some(({ keepsBudget }) => keepsBudget),
    namesSignIn: all.some(({ namesSignIn }) => namesSignIn),
    tellsByMail: all.some(({ tellsByMail }) => tellsByMail),
    callsOut: all.some(({ callsOut }) => callsOut),
    timeoutSeconds: Math.max(...all.map(({ timeoutSeconds }) => timeoutSeconds)),
  };
}

/** Adds permission to look up callers in the table, if the service assigns user numbers. */
export function letNameCallers(declaration: Declaration): Declaration {
  const { identity, tableUses } = declaration;
  return identity ? { ...declaration, tableUses: [...tableUses, ...namingGrants] } : declaration;
}

/** Adds permission to count calls per caller, if the function uses the table anyway. */
export function letCountCalls(declaration: Declaration): Declaration {
  const { identity, tableUses } = declaration;
  return identity && tableUses.length > 0
    ? { ...declaration, tableUses: [...tableUses, ...countingGrants] }
    : declaration;
}

/** Adds permission to read which steps the data has taken, if the function uses the table. */
export function letCheckSteps(declaration: Declaration): Declaration {
  const { tableUses } = declaration;
  return tableUses.length > 0
    ? { ...declaration, tableUses: [...tableUses, { actions: ['GetItem'], partitions: ['data'] }] }
    : declaration;
}

const writes: readonly TableAction[] = ['DeleteItem', 'PutItem', 'UpdateItem'];

/**
 * Unites all writes of a function into one grant, on all partitions that any of them may touch. This
 * allows more than the function declares. Reads stay as they are, because a transaction does not mix
 * them with writes.
 */
export function uniteWrites(declaration: Declaration): Declaration {
  const { tableUses } = declaration;
  const writing = selectActions(tableUses, (action) => writes.includes(action));
  if (writing.length < 2) return declaration;
  const united = {
    actions: writes.filter((action) => writing.some(({ actions }) => actions.includes(action))),
    partitions: [...new Set(writing.flatMap(({ partitions }) => partitions))],
  };
  const reading = selectActions(tableUses, (action) => !writes.includes(action));
  return { ...declaration, tableUses: [...reading, united] };
}

const reads: readonly TableAction[] = ['BatchGetItem', 'GetItem', 'Query'];

/**
 * Grants each kind of read once, on all partitions that any of the grants allows it on. It allows
 * the same reads in fewer statements, because the size of a policy is limited.
 */
export function uniteReads(uses: readonly Grant[]): Grant[] {
  const united = reads.map((action) => {
    const reading = uses.filter(({ actions }) => actions.includes(action));
    return {
      actions: [action],
      partitions: [...new Set(reading.flatMap((use) => use.partitions))],
    };
  });
  return [
    ...selectActions(uses, (action) => !reads.includes(action)),
    ...united.filter(({ partitions }) => partitions.length > 0),
  ];
}

function selectActions(uses: readonly Grant[], accept: (action: TableAction) => boolean): Grant[] {
  return uses
    .map(({ actions, partitions }) => ({ actions: actions.filter(accept), partitions }))
    .filter(({ actions }) => actions.length > 0);
}

/** Drops grants that another grant covers. Of two equal grants, the first stays. */
export function dropCovered(uses: readonly Grant[]): Grant[] {
  return uses.filter(
    (use, index) =>
      !uses.some(
        (other, place) =>
          place !== index && covers(other, use) && (place < index || !covers(use, other)),
      ),
  );
}

function covers(wide: Grant, narrow: Grant): boolean {
  return (
    narrow.actions.every((action) => wide.actions.includes(action)) &&
    narrow.partitions.every((kind) => wide.partitions.includes(kind))
  );
}

/** Unites actions per bucket, because an action on one bucket must not allow it on the other. */
export function uniteFiles(uses: readonly FileUse[]): FileUse {
  return {
    inputs: uniteActions(uses.map(({ inputs = [] }) => inputs)),
    results: uniteActions(uses.map(({ results = [] }) => results)),
  };
}

function uniteActions(lists: readonly (readonly FileAction[])[]): FileAction[] {
  return [...new Set(lists.flat())].sort();
}
