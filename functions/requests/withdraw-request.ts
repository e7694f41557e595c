import { apiHandler } from '#lib/http/chain/api-handler.ts';
import { answer } from '#lib/http/chain/operation.ts';
import { presentRequest } from '#lib/http/presenters/present-request.ts';
import { ok } from '#lib/http/respond.ts';
import { withdrawRequest } from '#lib/requests/ask-for-quota.ts';
import { endpoints } from '../endpoints.ts';
import { table } from '../table.ts';

export const handler = apiHandler(endpoints, 'withdraw-request', {
  withdraw: answer({}, async ({ caller, path }) =>
    ok(presentRequest(await withdrawRequest(table, caller.userId, path.request_id))),
  ),
});
