import * as v from 'valibot';
import type { AuditList } from '#lib/audit/read-audit.ts';
import {
  isRequestId,
  isStoredUserId,
  type RequestId,
  type UserId,
} from '#lib/catalog/identifiers.ts';
import type { AllJobsList } from '#lib/jobs/read/job-list.ts';
import type { QuotaPosition } from '#lib/quotas/grants/list-quotas.ts';
import type { LedgerList, LedgerPosition } from '#lib/quotas/read-ledger.ts';
import type { Report } from '#lib/reports/report.ts';
import type { RequestState } from '#lib/requests/quota-request.ts';
import type { AnyProject } from '../routes/project-at.ts';
import type { CursorForm } from './list-cursors.ts';

/** The place in a list of jobs is the id of one. */
export const ownJobs: CursorForm<AllJobsList, number> = {
  marksOf: ({ owner, hpc, project, order, filter }) => [owner, hpc, project, order, filter],
  write: (id) => id.toString(36),
  read: (text) => Number.parseInt(text, 36),
};

/** Marked, so that no cursor of an administrator is good for a caller's list. */
export const everybodysJobs: CursorForm<AllJobsList, number> = {
  ...ownJobs,
  marksOf: (list) => ['administrators', ...ownJobs.marksOf(list)],
};

/** There is one list of users, and the place in it is the number of one. */
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
  write: encodeText,
  read: decodeText,
};

/** Of one webhook, by its identifier. */
export const deliveries: CursorForm<string, string> = {
  marksOf: (webhookId) => ['deliveries', webhookId],
  write: encodeText,
  read: decodeText,
};

/** Of one user, or of everybody in a state; the place is the identifier of one. */
export const requests: CursorForm<UserId | RequestState, RequestId> = {
  marksOf: (list) => ['requests', list],
  write: (request) => request,
  read: (text) => {
    if (!isRequestId(text)) throw new Error('A signed cursor names no valid request.');
    return text;
  },
};

export const quotas: CursorForm<AnyProject, QuotaPosition> = {
  marksOf: ({ hpc, project }) => ['quotas', hpc, project],
  write: ({ project, user }) => `${project}-${user}`,
  read: (text) => {
    const middle = text.indexOf('-');
    return { project: Number(text.slice(0, middle)), user: readUser(text.slice(middle + 1)) };
  },
};

/** The user or the project behind which a report goes on. */
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
  write: encodeText,
  read: decodeText,
};

const LedgerPlace = v.tuple([v.string(), v.number(), v.number()]);

/** The line behind which a ledger goes on, and the balance that is carried on. */
export const ledgerLines: CursorForm<LedgerList, LedgerPosition> = {
  marksOf: ({ user, hpc, project, since, until }) => ['ledger', user, hpc, project, since, until],
  write: ({ key, left }) => encodeText(JSON.stringify([key, left.seconds, left.kilobytes])),
  read: (text) => {
    const [key, seconds, kilobytes] = v.parse(LedgerPlace, JSON.parse(decodeText(text)));
    return { key, left: { seconds, kilobytes } };
  },
};

/** A cursor is signed, so that it names a user whom this service once named in it. */
function readUser(text: string): UserId {
  if (!isStoredUserId(text)) throw new Error('A signed cursor names no valid user.');
  return text;
}

function encodeText(text: string): string {
  return Buffer.from(text).toString('base64url');
}

function decodeText(text: string): string {
  return Buffer.from(text, 'base64url').toString();
}
