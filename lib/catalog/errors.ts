import { refusalSaying } from '#lib/errors/domain-error.ts';

export class SystemNotFoundError extends /* @__PURE__ */ refusalSaying(
  'system-not-found',
  (system: string) => `Unknown HPC system '${system}'. GET /hpc/ lists all systems.`,
) {}

export class ProjectNotFoundError extends /* @__PURE__ */ refusalSaying(
  'project-not-found',
  (system: string, project: string) =>
    `Unknown project '${project}' on '${system}'. GET /projects/${system}/ lists its projects.`,
) {}
