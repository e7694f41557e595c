import type { User } from '../../../index.ts';

export function writeBans({ banned, bans }: User): string {
  return [
    ...(banned === null ? [] : [`everywhere: ${banned}`]),
    ...bans.map(({ project_name: project, reason }) => `${project}: ${reason}`),
  ].join(', ');
}
