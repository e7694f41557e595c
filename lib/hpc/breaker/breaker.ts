import * as v from 'valibot';
import type { SystemName } from '#lib/catalog/identifiers.ts';
import { reportSystemCall, type SystemCall } from '#lib/outbound/system-calls.ts';
import { systemBreakerKey } from '#lib/table/keys.ts';
import { parseItem } from '#lib/table/parse-item.ts';
import { readItem } from '#lib/table/reads.ts';
import type { Table } from '#lib/table/table.ts';
import { putItem } from '#lib/table/writes.ts';
import type { Connector, ProjectFolders } from '../connector.ts';
import {
  AnswerTooLargeError,
  CredentialsRefusedError,
  JobRefusedError,
  RemoteFileNotFoundError,
  SystemBusyError,
  SystemUnavailableError,
  TransferTooSlowError,
} from '../errors.ts';
import {
  type BreakerState,
  closedBreaker,
  countAnswer,
  countFailure,
  findPhase,
} from './breaker-rules.ts';

export interface Breaker {
  /** True while calls are refused at once. After the pause, the breaker waits for a trial. */
  readonly isOpen: boolean;
  /** True from a failed call until the next answer. */
  readonly isFailing: boolean;
  /** When a call was last answered here, by the monotonic clock. */
  readonly answeredAtMs: number | undefined;
  /** Returns a connector that makes no calls while the breaker is open; `checkHealth` is the trial. */
  guard(connector: Connector): Connector;
  /**
   * Saves changes for the other processes. Failures that were expected, because the system is in
   * maintenance, count only in this process.
   */
  save(isExpected?: boolean): Promise<void>;
}

export const breakerType = 'system-breaker';

const BreakerItem = v.object({
  failures: v.number(),
  open_until: v.optional(v.string()),
  pause_seconds: v.number(),
  failing_since: v.optional(v.string()),
  error_at: v.optional(v.string()),
  error_reason: v.optional(v.string()),
});

/**
 * Reads the breaker of a system from the table. Two processes that save at once may overwrite each
 * other's count. Then the breaker opens one call later, or closes after one more trial.
 */
export async function openBreaker(table: Table, hpc: SystemName, now: Date): Promise<Breaker> {
  const stored = (await readItem(table, systemBreakerKey(hpc), breakerFromItem)) ?? closedBreaker;
  const since = performance.now();
  // A sweep may take longer than a pause, so its clock must go on.
  const clock = () => new Date(now.getTime() + performance.now() - since);
  let state = stored;
  let answeredAtMs: number | undefined;
  const guard = {
    admit(call: 'trial' | 'other') {
      const phase = findPhase(state, clock());
      if (phase === 'closed' || (phase === 'trial' && call === 'trial')) return;
      throw new SystemUnavailableError(
        `${hpc} has not answered for a while. It will be tried again soon.`,
      );
    },
    countAnswer() {
      answeredAtMs = performance.now();
      state = countAnswer(state);
    },
    countFailure(reason: string) {
      state = countFailure(state, clock(), reason);
    },
  };
  return {
    get isOpen() {
      return findPhase(state, clock()) === 'open';
    },
    get isFailing() {
      return state.failures > 0;
    },
    get answeredAtMs() {
      return answeredAtMs;
    },
    guard: (connector) => guardConnector(hpc, connector, guard),
    async save(isExpected = false) {
      if (isSame(state, stored) || (isExpected && state.failures > 0)) return;
      await writeState(table, hpc, state);
    },
  };
}

async function writeState(table: Table, hpc: SystemName, state: BreakerState): Promise<void> {
  const { failures, openUntil, pauseSeconds, failingSince, lastError } = state;
  await putItem(table, {
    Item: {
      ...systemBreakerKey(hpc),
      type: breakerType,
      schema_version: 1,
      hpc,
      failures,
      pause_seconds: pauseSeconds,
      ...(openUntil && { open_until: openUntil.toISOString() }),
      ...(failingSince && { failing_since: failingSince.toISOString() }),
      ...(lastError && { error_at: lastError.at.toISOString(), error_reason: lastError.reason }),
    },
  });
}

export function breakerFromItem(stored: unknown): BreakerState {
  const item = parseItem(BreakerItem, stored);
  const { error_at: at, error_reason: reason } = item;
  return {
    failures: item.failures,
    openUntil: readMoment(item.open_until),
    pauseSeconds: item.pause_seconds,
    failingSince: readMoment(item.failing_since),
    lastError: at === undefined || reason === undefined ? undefined : { at: new Date(at), reason },
  };
}

function readMoment(stored: string | undefined): Date | undefined {
  return stored === undefined ? undefined : new Date(stored);
}

function isSame(one: BreakerState, other: BreakerState): boolean {
  return one.failures === other.failures && one.openUntil?.getTime() === other.openUntil?.getTime();
}

/** Decides before each call whether it may be made, and counts its outcome. */
interface Guard {
  /** Throws if the system must not be called. */
  admit(call: 'trial' | 'other'): void;
  countAnswer(): void;
  countFailure(reason: string): void;
}

/** Puts the guard around each call of a connector; a health check is the trial. */
function guardConnector(hpc: SystemName, connector: Connector, guard: Guard): Connector {
  async function watch<T>(name: keyof Connector, call: () => Promise<T>): Promise<T> {
    guard.admit(name === 'checkHealth' ? 'trial' : 'other');
    const began = performance.now();
    const report = (outcome: SystemCall['outcome']) => {
      const seconds = (performance.now() - began) / 1000;
      reportSystemCall({ hpc, call: name, outcome, seconds });
    };
    try {
      const answer = await call();
      guard.countAnswer();
      report('answered');
      return answer;
    } catch (error) {
      if (isAnswer(error)) guard.countAnswer();
      else if (isFailure(error)) guard.countFailure(error.message);
      report(isAnswer(error) ? 'refused' : 'failed');
      throw error;
    }
  }
  const { submitArray, findBegun, remove, findFile, listPage, folders } = connector;
  return {
    ...connector,
    ...(submitArray && {
      submitArray: (orders, again) => watch('submitArray', () => submitArray(orders, again)),
    }),
    submit: (order) => watch('submit', () => connector.submit(order)),
    findByTag: (tag) => watch('findByTag', () => connector.findByTag(tag)),
    ...(findBegun && { findBegun: (tag) => watch('findBegun', () => findBegun(tag)) }),
    ...(remove && { remove: (job) => watch('remove', () => remove(job)) }),
    lookUp: (jobs) => watch('lookUp', () => connector.lookUp(jobs)),
    cancel: (job) => watch('cancel', () => connector.cancel(job)),
    listFiles: (job) => watch('listFiles', () => connector.listFiles(job)),
    ...(listPage && { listPage: (job, wish) => watch('listFiles', () => listPage(job, wish)) }),
    ...(findFile && { findFile: (job, id) => watch('findFile', () => findFile(job, id)) }),
    openFile: (job, fileId) => watch('openFile', () => connector.openFile(job, fileId)),
    ...(folders && { folders: watchFolders(folders, (call) => watch('folders', call)) }),
    checkHealth: () => watch('checkHealth', () => connector.checkHealth()),
  };
}

function watchFolders(
  folders: ProjectFolders,
  watch: <T>(call: () => Promise<T>) => Promise<T>,
): ProjectFolders {
  const { listPage } = folders;
  return {
    measure: (place) => watch(() => folders.measure(place)),
    list: (place) => watch(() => folders.list(place)),
    ...(listPage && { listPage: (place, wish) => watch(() => listPage(place, wish)) }),
    find: (place, fileId) => watch(() => folders.find(place, fileId)),
    open: (place, fileId) => watch(() => folders.open(place, fileId)),
    remove: (place, fileId) => watch(() => folders.remove(place, fileId)),
    empty: (place) => watch(() => folders.empty(place)),
  };
}

function isAnswer(error: unknown): boolean {
  return [
    SystemBusyError,
    JobRefusedError,
    RemoteFileNotFoundError,
    // The system did answer, only at too great a length.
    AnswerTooLargeError,
    // The system accepted data, and one large input must not hold up all other jobs.
    TransferTooSlowError,
  ].some((each) => error instanceof each);
}

/** Any other error is a bug or a fault of the table, and says nothing about the system. */
function isFailure(error: unknown): error is Error {
  return error instanceof SystemUnavailableError || error instanceof CredentialsRefusedError;
}
