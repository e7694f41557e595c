import { DomainError } from '#lib/errors/domain-error.ts';

export class SystemNotFoundError extends DomainError {
  override readonly name = 'SystemNotFoundError';
  constructor(system: string) {
    super(`Unknown HPC system '${system}'. GET /hpc/ lists all systems.`);
  }
}

export class ProjectNotFoundError extends DomainError {
  override readonly name = 'ProjectNotFoundError';
  constructor(system: string, project: string) {
    super(
      `Unknown project '${project}' on '${system}'. GET /projects/${system}/ lists its projects.`,
    );
  }
}
