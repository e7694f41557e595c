import { type BanOrder, unbanUser } from '#lib/bans/ban-user.ts';
import { answer } from '#lib/http/chain/operation.ts';
import { projectHandler } from '#lib/http/chain/project-handler.ts';
import { reasonAnywhere } from '#lib/http/parsers/bodies/json-body.ts';
import { presentAccount, presentUser } from '#lib/http/presenters/present-administration.ts';
import { presentErasure } from '#lib/http/presenters/present-person.ts';
import { ok } from '#lib/http/respond.ts';
import { erasePerson } from '#lib/people/erase-person.ts';
import { unmapLogin } from '#lib/users/logins/map-login.ts';
import { endpoints } from '../endpoints.ts';
import { table } from '../table.ts';

export const handler = projectHandler(endpoints, 'clear-user', table, {
  unban: answer(reasonAnywhere, async ({ caller, path, body }) => {
    const { user_id: user, hpc, project_name: project } = path;
    const from = hpc && project && { hpc: hpc.name, project: project.name };
    const order: BanOrder = { user, from, reason: body.reason, by: caller.userId };
    return ok(presentUser(await unbanUser(table, order)));
  }),
  unmap: answer(reasonAnywhere, async ({ caller, path, body }) => {
    const { user_id: user, hpc: system } = path;
    const order = { user, system, reason: body.reason, by: caller.userId };
    return ok(presentAccount(await unmapLogin(table, order)));
  }),
  erase: answer(reasonAnywhere, async ({ caller, path, body }) => {
    const order = { user: path.user_id, reason: body.reason, by: caller.userId };
    return ok(presentErasure(await erasePerson(table, order)));
  }),
});
