import { refusalSaying } from '#lib/errors/domain-error.ts';
import type { ProjectKey } from '#lib/table/keys.ts';

/** The caller neither leads the project nor is an administrator. */
export class NotLeaderError extends /* @__PURE__ */ refusalSaying(
  'not-leader',
  ({ hpc, project }: ProjectKey) =>
    `Only leaders of the project '${project}' on '${hpc}' and administrators see its budget. Ask one of them.`,
) {}
