import { refusalSaying } from '#lib/errors/domain-error.ts';
import type { ProjectKey } from '#lib/table/keys.ts';

/** Projects of the catalog belong to the operator. Administrators cannot change them. */
export class ProjectInCatalogError extends /* @__PURE__ */ refusalSaying(
  'project-in-catalog',
  ({ hpc, project }: ProjectKey) =>
    `The project '${project}' on '${hpc}' is in the catalog of this service, so it cannot be changed here. Ask the operator to change the catalog, or choose another name.`,
) {}
