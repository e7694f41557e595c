import { DomainError } from '#lib/errors/domain-error.ts';

export class SystemNotFoundError extends DomainError {
  override readonly name = 'SystemNotFoundError';
  constructor(system: string) {
    super(`There is no HPC system '${system}'. GET /hpc/ lists those that there are.`);
  }
}

export class ProjectNotFoundError extends DomainError {
  override readonly name = 'ProjectNotFoundError';
  constructor(system: string, project: string) {
    super(
      `The HPC system '${system}' has no project '${project}'. GET /projects/${system}/ lists those that it has.`,
    );
  }
}
