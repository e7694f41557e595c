import type { User } from '#client/src/index.ts';

/** Where somebody may not submit, and why; nothing where they may. */
export function describeBans({ banned, bans }: Pick<User, 'banned' | 'bans'>): string {
  return [
    ...(banned === null ? [] : [`everywhere: ${banned}`]),
    ...bans.map(({ project_name: project, reason }) => `${project}: ${reason}`),
  ].join('; ');
}
