import type { RequestId, UserId } from '#lib/catalog/identifiers.ts';
import { ifRevision } from '#lib/table/conditions.ts';
import { attribute, defineItem, list, number, type Stored } from '#lib/table/define-item.ts';
import { StaleReadError } from '#lib/table/errors.ts';
import { openRequestsKey, type ProjectKey } from '#lib/table/keys.ts';
import { projectKeyFields } from '#lib/table/named-fields.ts';
import { readItem } from '#lib/table/reads.ts';
import { StoredRequestId } from '#lib/table/stored-names.ts';
import type { Table } from '#lib/table/table.ts';
import type { Step } from '#lib/table/transaction.ts';
import { RequestEndedError, RequestOpenError, TooManyOpenRequestsError } from './errors.ts';
import { type Ending, endRequest, type QuotaRequest } from './quota-request.ts';
import { findRequest, saveEnd } from './request-store.ts';

const storedOpen = defineItem('open-requests', () => ({
  requests: list('requests', {
    ...projectKeyFields(),
    id: attribute('request_id', StoredRequestId),
  }),
  /** Increases with every change, so of two simultaneous writes one is refused. */
  revision: number('revision'),
}));

interface OpenRequests extends Stored<typeof storedOpen> {}

const maxOpenRequests = 20;

/** Returns why a user may not ask for more in a project now, if they may not. */
export function judgeAsking(
  { requests }: OpenRequests,
  { hpc, project }: ProjectKey,
): RequestOpenError | TooManyOpenRequestsError | undefined {
  const open = requests.find((each) => each.hpc === hpc && each.project === project);
  if (open) return new RequestOpenError({ hpc, project }, open.id);
  return requests.length >= maxOpenRequests
    ? new TooManyOpenRequestsError(maxOpenRequests)
    : undefined;
}

export async function readOpenRequests(table: Table, user: UserId): Promise<OpenRequests> {
  const open = await readItem(table, openRequestsKey(user), storedOpen.parse);
  return open ?? { requests: [], revision: 0 };
}

export function addOpenRequest(open: OpenRequests, { id, user, project }: QuotaRequest): Step {
  const added = { hpc: project.hpc, project: project.name, id };
  return saveOpenRequests(user, open, [...open.requests, added]);
}

function dropOpenRequest(open: OpenRequests, { id, user }: QuotaRequest): Step {
  const others = open.requests.filter((each) => each.id !== id);
  return saveOpenRequests(user, open, others);
}

function saveOpenRequests(
  user: UserId,
  { revision }: OpenRequests,
  requests: OpenRequests['requests'],
): Step {
  return {
    Put: {
      Item: {
        ...openRequestsKey(user),
        ...storedOpen.format({ requests, revision: revision + 1 }),
      },
      ...ifRevision(revision),
    },
    refuse: () => new StaleReadError(),
  };
}

export async function findOpenRequest(table: Table, id: RequestId): Promise<QuotaRequest> {
  const request = await findRequest(table, id);
  if (request.state !== 'open') throw new RequestEndedError(request);
  return request;
}

/**
 * Returns the steps that end a request, for the transaction that acts on it. If they are refused
 * because somebody else was first, read and decide again.
 */
export async function planEnd(
  table: Table,
  id: RequestId,
  ending: Ending,
  at: Date,
): Promise<Step[]> {
  const request = await findOpenRequest(table, id);
  const open = await readOpenRequests(table, request.user);
  return [saveEnd(endRequest(request, ending, at)), dropOpenRequest(open, request)];
}
