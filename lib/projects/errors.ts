import { DomainError } from '#lib/errors/domain-error.ts';
import { StaleReadError } from '#lib/table/errors.ts';
import type { ProjectKey } from '#lib/table/keys.ts';

/** What is in the catalog is the operator's, and no administrator's to change. */
export class ProjectInCatalogError extends DomainError {
  override readonly name = 'ProjectInCatalogError';
  constructor({ hpc, project }: ProjectKey) {
    super(
      `The project '${project}' on '${hpc}' is in the catalog of this service, so it cannot be changed here. Ask the operator to change the catalog, or choose another name.`,
    );
  }
}

/** The project is not what a change of it was planned by. */
export class ProjectChangedError extends StaleReadError {
  override readonly name = 'ProjectChangedError';
}
