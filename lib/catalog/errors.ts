export class SystemNotFoundError extends Error {
  override name = 'SystemNotFoundError';
  constructor(system: string) {
    super(`There is no HPC system '${system}'.`);
  }
}

export class ProjectNotFoundError extends Error {
  override name = 'ProjectNotFoundError';
  constructor(system: string, project: string) {
    super(`The HPC system '${system}' has no project '${project}'.`);
  }
}
