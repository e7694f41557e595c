import * as v from 'valibot';
import type { RequestId, UserId } from '#lib/catalog/identifiers.ts';
import { openRequestsKey, type ProjectKey } from '#lib/table/keys.ts';
import { parseItem } from '#lib/table/parse-item.ts';
import { readItem } from '#lib/table/reads/read-item.ts';
import { StoredProjectName, StoredRequestId, StoredSystemName } from '#lib/table/stored-names.ts';
import type { Table } from '#lib/table/table.ts';
import type { Step } from '#lib/table/writes/transaction.ts';
import {
  RequestEndedError,
  RequestOpenError,
  RequestsChangedError,
  TooManyOpenRequestsError,
} from './errors.ts';
import { type Ending, endRequest, type QuotaRequest } from './quota-request.ts';
import { findRequest, saveEnd } from './request-store.ts';

/** The open requests of a user. */
interface OpenRequests {
  readonly requests: readonly OpenRequest[];
  /** Increases with every change, so of two simultaneous writes one is refused. */
  readonly revision: number;
}

interface OpenRequest extends ProjectKey {
  readonly id: RequestId;
}

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

const OpenRequestsItem = v.object({
  type: v.literal('open-requests'),
  schema_version: v.literal(1),
  requests: v.array(
    v.object({
      hpc: StoredSystemName,
      project_name: StoredProjectName,
      request_id: StoredRequestId,
    }),
  ),
  revision: v.number(),
});

export async function readOpenRequests(table: Table, user: UserId): Promise<OpenRequests> {
  const stored = await readItem(table, openRequestsKey(user));
  if (!stored) return { requests: [], revision: 0 };
  const { requests, revision } = parseItem(OpenRequestsItem, stored);
  return {
    requests: requests.map(({ hpc, project_name: project, request_id: id }) => {
      return { hpc, project, id };
    }),
    revision,
  };
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
  requests: readonly OpenRequest[],
): Step {
  return {
    write: (tableName) => ({
      Put: {
        TableName: tableName,
        Item: {
          ...openRequestsKey(user),
          type: 'open-requests',
          schema_version: 1,
          requests: requests.map(({ hpc, project, id }) => {
            return { hpc, project_name: project, request_id: id };
          }),
          revision: revision + 1,
        } satisfies v.InferInput<typeof OpenRequestsItem> & ReturnType<typeof openRequestsKey>,
        ...(revision === 0
          ? { ConditionExpression: 'attribute_not_exists(PK)' }
          : {
              ConditionExpression: 'revision = :seen',
              ExpressionAttributeValues: { ':seen': revision },
            }),
      },
    }),
    refuse: () => new RequestsChangedError(),
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
