import { refusalSaying } from '#lib/errors/domain-error.ts';

/** Windows of the catalog and of Slurm belong to the operators of these. */
export class MaintenanceNotFoundError extends /* @__PURE__ */ refusalSaying(
  'maintenance-not-found',
  (hpc: string, name: string) =>
    name === pauseName
      ? `${hpc} is not paused. GET /admin/systems/ lists the windows of all systems.`
      : `Administrators have announced no window '${name}' for ${hpc}. GET /admin/systems/ lists the windows of all systems.`,
) {}

/** The name of the window of a paused system. */
export const pauseName = 'pause';
