import { catalog } from '#lib/catalog/catalog.ts';
import { leaderHandler } from '#lib/http/chain/leader-handler.ts';
import { answer } from '#lib/http/chain/operation.ts';
import { reasonBody } from '#lib/http/parsers/bodies/json-body.ts';
import { approvalBody } from '#lib/http/parsers/bodies/request-bodies.ts';
import { presentJudgedRequest } from '#lib/http/presenters/present-request.ts';
import { ok } from '#lib/http/respond.ts';
import { approveRequest, declineRequest } from '#lib/requests/decide-request.ts';
import { addBan } from '#lib/requests/list-requests.ts';
import { endpoints } from '../endpoints.ts';
import { table } from '../table.ts';

export const handler = leaderHandler(endpoints, 'decide-request', table, {
  approve: answer({ body: () => approvalBody(new Date()) }, async ({ caller, path, body }) => {
    const { userId: by, administrator } = caller;
    const order = { request: path.request_id, by, fromBudget: !administrator, ...body };
    const request = await approveRequest(table, catalog, order);
    return ok(presentJudgedRequest(await addBan(table, request)));
  }),
  decline: answer({ body: reasonBody }, async ({ caller, path, body }) => {
    const order = { request: path.request_id, by: caller.userId, reason: body.reason };
    return ok(presentJudgedRequest(await addBan(table, await declineRequest(table, order))));
  }),
});
