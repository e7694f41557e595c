import { catalog, findSystem } from '#lib/catalog/catalog.ts';
import { apiHandler } from '#lib/http/chain/api-handler.ts';
import { answer } from '#lib/http/chain/operation.ts';
import { requestBody } from '#lib/http/parsers/bodies/request-bodies.ts';
import { presentRequest, requestLocation } from '#lib/http/presenters/present-request.ts';
import { created } from '#lib/http/respond.ts';
import { findProjectsByNumber } from '#lib/projects/find-project.ts';
import { askForQuota } from '#lib/requests/ask-for-quota.ts';
import { endpoints } from '../endpoints.ts';
import { table } from '../table.ts';

const findProject = findProjectsByNumber(table);

export const handler = apiHandler(endpoints, 'create-request', {
  create: answer({ body: requestBody }, async ({ caller, body }) => {
    const { hpc, wanted, reason } = body;
    const project = await findProject(findSystem(catalog, hpc), body.project);
    const request = await askForQuota(table, { user: caller.userId, project, wanted, reason });
    return created(presentRequest(request), requestLocation(request));
  }),
});
