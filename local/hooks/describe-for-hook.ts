import { catalog } from '#lib/catalog/catalog.ts';
import { runsAsOwner, wordOfCharging } from '#lib/catalog/hpc-system.ts';
import { isStoredUserId, type UserId } from '#lib/catalog/identifiers.ts';
import type { SlipwayEvent } from '#lib/events/event.ts';
import { readQuotas } from '#lib/quotas/quota-store.ts';
import type { Table } from '#lib/table/table.ts';
import { readClaimedLogin } from '#lib/users/logins/claimed-login.ts';
import { readLogin } from '#lib/users/logins/login-store.ts';

/** Names the system and the user or project that an event is about. */
export function subjectOf({ owner, data }: Pick<SlipwayEvent, 'owner' | 'data'>) {
  const { project_hpc: inCapitals, hpc = inCapitals, project_name: project } = data;
  const user = isStoredUserId(data.user) ? data.user : owner;
  return { hpc: String(hpc).toLowerCase(), user, name: user ?? String(project) };
}

/**
 * Writes what a hook reads: the event, with what a program needs to do the same elsewhere. That is as
 * it is now, and not as it was when the event happened.
 */
export async function describeForHook(table: Table, event: SlipwayEvent): Promise<string> {
  const { hpc, user } = subjectOf(event);
  const system = catalog.systems.find(({ name }) => name === hpc);
  return JSON.stringify({
    ...event,
    hpc,
    charging: system ? wordOfCharging(system.charging) : null,
    ...(user !== undefined && system && (await describeUser(table, user, system))),
  });
}

async function describeUser(table: Table, user: UserId, system: (typeof catalog.systems)[number]) {
  const { name: hpc } = system;
  const login = runsAsOwner(system)
    ? ((await readLogin(table, user, hpc)) ?? (await readClaimedLogin(table, user, hpc)))
    : undefined;
  const quotas = await readQuotas(table, user, hpc);
  return { account: login?.name ?? null, projects: quotas.map(({ project }) => project.name) };
}
