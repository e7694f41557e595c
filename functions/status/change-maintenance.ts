import { apiHandler } from '#lib/http/chain/api-handler.ts';
import { answer } from '#lib/http/chain/operation.ts';
import { reasonBody } from '#lib/http/parsers/bodies/json-body.ts';
import { maintenanceBody } from '#lib/http/parsers/bodies/maintenance-body.ts';
import { presentWindow } from '#lib/http/presenters/present-maintenance.ts';
import { created, ok } from '#lib/http/respond.ts';
import {
  announceWindow,
  pauseSystem,
  resumeSystem,
  withdrawWindow,
} from '#lib/systems/change-maintenance.ts';
import { endpoints } from '../endpoints.ts';
import { table } from '../table.ts';

export const handler = apiHandler(endpoints, 'change-maintenance', {
  announce: answer(
    { body: () => maintenanceBody(new Date()) },
    async ({ caller: { userId: by }, path: { hpc, window_name: name }, body: window }) => {
      const announced = await announceWindow(table, { hpc: hpc.name, name, by, window });
      const shown = presentWindow(announced.window);
      return announced.created ? created(shown, '/admin/systems/') : ok(shown);
    },
  ),
  withdraw: answer(
    { body: reasonBody },
    async ({ caller: { userId: by }, path: { hpc, window_name: name }, body: { reason } }) =>
      ok(presentWindow(await withdrawWindow(table, { hpc: hpc.name, name, by, reason }))),
  ),
  pause: answer(
    { body: reasonBody },
    async ({ caller: { userId: by }, path: { hpc }, body: { reason } }) =>
      ok(presentWindow(await pauseSystem(table, { hpc: hpc.name, by, reason }))),
  ),
  resume: answer(
    { body: reasonBody },
    async ({ caller: { userId: by }, path: { hpc }, body: { reason } }) =>
      ok(presentWindow(await resumeSystem(table, { hpc: hpc.name, by, reason }))),
  ),
});
