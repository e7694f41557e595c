import * as v from 'valibot';
import type { AuditList } from '#lib/audit/read-audit.ts';
import type { BatchList } from '#lib/batches/batch-store.ts';
import type { ResultList } from '#lib/batches/read-results.ts';
import {
  type BatchId,
  isBatchId,
  isRequestId,
  isStoredUserId,
  type JobId,
  type ProjectName,
  type RequestId,
  type SystemName,
  type UserId,
} from '#lib/catalog/identifiers.ts';
import { PagingEnvironment, readEnvironment } from '#lib/config.ts';
import type { AllJobsList } from '#lib/jobs/read/job-list.ts';
import type { QuotaList, QuotaPosition } from '#lib/quotas/grants/list-quotas.ts';
import type { LedgerList, LedgerPosition } from '#lib/quotas/read-ledger.ts';
import type { Report } from '#lib/reports/report.ts';
import type { RequestList } from '#lib/requests/list-requests.ts';
import { areEqual, signWith } from '#lib/signing/sign-text.ts';
import { InvalidRequestError } from '../../errors.ts';

/**
 * A cursor is the position after which a list continues, signed together with the list. An invented
 * cursor, or one from another caller, path or filter, does not verify. The first page has no cursor,
 * and the last page leads to none.
 */
export interface ListCursors<List, Position> {
  sign(list: List, position: Position | undefined): string | undefined;
  verify(list: List, cursor: string | undefined): Position | undefined;
}

export interface CursorForm<List, Position> {
  /** Returns what distinguishes one list from another: its kind, path and filters. */
  marksOf(list: List): readonly unknown[];
  /** Writes the position in letters, digits, `_` and `-`. It is not secret. */
  write(position: Position): string;
  read(text: string): Position;
}

/** Opens the cursors of a list, signed with the secret of this deployment. */
export function openCursors<List, Position>(form: CursorForm<List, Position>) {
  return createCursors(readEnvironment(PagingEnvironment).CURSOR_SECRET, form);
}

export function createCursors<List, Position>(
  secret: string,
  { marksOf, write, read }: CursorForm<List, Position>,
): ListCursors<List, Position> {
  function signText(list: List, text: string): string {
    const mark = signWith(secret, ['v1', ...marksOf(list), text]).subarray(0, 16);
    return `${text}.${mark.toString('base64url')}`;
  }
  return {
    sign: (list, position) =>
      position === undefined ? undefined : signText(list, write(position)),
    verify: (list, cursor) => {
      if (cursor === undefined) return undefined;
      const text = cursor.slice(0, cursor.lastIndexOf('.'));
      if (!areEqual(cursor, signText(list, text))) {
        throw new InvalidRequestError([
          { location: 'query', name: 'cursor', message: 'It does not belong to this list.' },
        ]);
      }
      return read(text);
    },
  };
}

/** A position of any characters, such as a path. */
const anyText = {
  write: (text: string) => Buffer.from(text).toString('base64url'),
  read: (text: string) => Buffer.from(text, 'base64url').toString(),
};

/** The position in a list of jobs is a job's id. */
export const ownJobs: CursorForm<AllJobsList, number> = {
  marksOf: ({ owner, hpc, project, order, filter, ids }) => [
    owner,
    hpc,
    project,
    order,
    filter,
    ...(ids ? [ids] : []),
  ],
  write: (id) => id.toString(36),
  read: (text) => Number.parseInt(text, 36),
};

/** Marked, so that an administrator's cursor is never valid for a caller's own list. */
export const everybodysJobs: CursorForm<AllJobsList, number> = {
  ...ownJobs,
  marksOf: (list) => ['administrators', ...ownJobs.marksOf(list)],
};

/** The position in the list of users is a user's number. */
export const users: CursorForm<void, UserId> = {
  marksOf: () => ['users'],
  write: (user) => user,
  read: readUser,
};

export const acts: CursorForm<AuditList, string> = {
  marksOf: ({ since, until, filter: { by, user, kind } }) => [
    'audit',
    since,
    until,
    by,
    user,
    kind,
  ],
  ...anyText,
};

/** The list is named by the id of its webhook. */
export const deliveries: CursorForm<string, string> = {
  marksOf: (webhookId) => ['deliveries', webhookId],
  ...anyText,
};

/** The position in a list of batches is a batch's id. */
export const batches: CursorForm<BatchList, BatchId> = {
  marksOf: ({ owner, hpc, project }) => ['batches', owner, hpc, project],
  write: (id) => id,
  read: (text) => {
    if (!isBatchId(text)) throw new Error('A signed cursor names an invalid batch.');
    return text;
  },
};

/** The position in the files of a job, or of the folder of a project, is a path. */
export const jobFilesOf: CursorForm<FileList, string> = {
  marksOf: ({ owner, hpc, job, folder }) => ['files', owner, hpc, job, folder],
  ...anyText,
};

interface FileList {
  readonly owner: UserId;
  readonly hpc: SystemName;
  readonly job: JobId | ProjectName;
  readonly folder?: string | undefined;
}

/** The position in the results of a batch is the id of a job. */
export const batchResults: CursorForm<ResultList, number> = {
  marksOf: ({ owner, batch, name, first, last }) => ['results', owner, batch, name, first, last],
  write: ownJobs.write,
  read: ownJobs.read,
};

/** The list holds one user's requests, or everybody's in one state, perhaps of one project. */
export const requests: CursorForm<UserId | RequestList, RequestId> = {
  marksOf: (list) => [
    'requests',
    ...(typeof list === 'string' ? [list] : [list.state, list.hpc, list.project]),
  ],
  write: (request) => request,
  read: (text) => {
    if (!isRequestId(text)) throw new Error('A signed cursor names an invalid request.');
    return text;
  },
};

export const quotas: CursorForm<QuotaList, QuotaPosition> = {
  marksOf: ({ hpc, project, user }) => [
    'quotas',
    hpc,
    project,
    ...(user === undefined ? [] : [user]),
  ],
  write: ({ project, user }) => `${project}-${user}`,
  read: (text) => {
    const middle = text.indexOf('-');
    return { project: Number(text.slice(0, middle)), user: readUser(text.slice(middle + 1)) };
  },
};

/** The position in a report is a user or a project. */
export const reportRows: CursorForm<Report, string> = {
  marksOf: ({ by, period: { since, until }, user, hpc, project }) => [
    'usage',
    by,
    since,
    until,
    user,
    hpc,
    project,
  ],
  ...anyText,
};

const LedgerPlace = v.tuple([v.string(), v.number(), v.number()]);

/** The position in a ledger is a line, together with the balance after it. */
export const ledgerLines: CursorForm<LedgerList, LedgerPosition> = {
  marksOf: ({ user, hpc, project, since, until }) => ['ledger', user, hpc, project, since, until],
  write: ({ key, left }) => anyText.write(JSON.stringify([key, left.seconds, left.kilobytes])),
  read: (text) => {
    const [key, seconds, kilobytes] = v.parse(LedgerPlace, JSON.parse(anyText.read(text)));
    return { key, left: { seconds, kilobytes } };
  },
};

/** Throws if the user is not valid, which cannot happen in a cursor that this service signed. */
function readUser(text: string): UserId {
  if (!isStoredUserId(text)) throw new Error('A signed cursor names an invalid user.');
  return text;
}
