import { type BanOrder, banUser } from '#lib/bans/ban-user.ts';
import { catalog } from '#lib/catalog/catalog.ts';
import { answer } from '#lib/http/chain/operation.ts';
import { projectHandler } from '#lib/http/chain/project-handler.ts';
import { reasonBody } from '#lib/http/parsers/bodies/json-body.ts';
import { accountBody } from '#lib/http/parsers/bodies/logins.ts';
import {
  accountLocation,
  presentAccount,
  presentUser,
} from '#lib/http/presenters/present-administration.ts';
import { created, ok } from '#lib/http/respond.ts';
import { mapLogin } from '#lib/users/logins/map-login.ts';
import { endpoints } from '../endpoints.ts';
import { table } from '../table.ts';

export const handler = projectHandler(endpoints, 'change-user', table, {
  ban: answer({ body: reasonBody }, async ({ caller, path, body }) => {
    const { user_id: user, hpc, project_name: project } = path;
    const from = hpc && project && { hpc: hpc.name, project: project.name };
    const order: BanOrder = { user, from, reason: body.reason, by: caller.userId };
    return ok(presentUser(await banUser(table, catalog, order)));
  }),
  map: answer({ body: accountBody }, async ({ caller, path, body }) => {
    const order = { user: path.user_id, system: path.hpc, by: caller.userId, ...body };
    const { login, outcome } = await mapLogin(table, order);
    const shown = presentAccount(login);
    return outcome === 'created' ? created(shown, accountLocation(login)) : ok(shown);
  }),
});
