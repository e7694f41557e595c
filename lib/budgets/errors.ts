import { refusalSaying } from '#lib/errors/domain-error.ts';
import type { ProjectKey } from '#lib/table/keys.ts';

/** The caller neither leads the project nor is an administrator. */
export class NotLeaderError extends /* @__PURE__ */ refusalSaying(
  'not-leader',
  ({ hpc, project }: ProjectKey, act: 'see its budget' | 'empty its folder' = 'see its budget') =>
    `Only leaders of the project '${project}' on '${hpc}' and administrators ${act}. Ask one of them.`,
) {}
