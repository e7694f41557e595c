import { type HpcSystem, runsAsOwner } from '#lib/catalog/hpc-system.ts';
import type { UserId } from '#lib/catalog/identifiers.ts';
import { createShortMemory } from '#lib/memory/short-memory.ts';
import type { Table } from '#lib/table/table.ts';
import type { Claimant } from './claimed-login.ts';
import { AccountMissingError } from './errors.ts';
import { requireLogin } from './login-store.ts';

/** More users than one container sees in ten minutes. */
const mostRemembered = 1_000;
const maxAgeMs = 10 * 60_000;

/**
 * Notes the logins that a token names, so that they can be prepared before the first job. It is a
 * side effect, so nobody is refused for a claim that names none.
 */
export function openLoginNotes(table: Table, systems: readonly HpcSystem[], now = Date.now) {
  const memory = createShortMemory<true>({ most: mostRemembered, maxAgeMs, now });
  const claimed = systems.filter((system) => runsAsOwner(system) && system.accountClaim);
  return async (owner: UserId, claims: Claimant['claims']): Promise<void> => {
    const name = JSON.stringify([owner, claims]);
    if (!claims || memory.recall(name)) return;
    await Promise.all(
      claimed.map((system) =>
        requireLogin(table, { owner, system, claims }).catch((error: unknown) => {
          if (!(error instanceof AccountMissingError)) throw error;
        }),
      ),
    );
    memory.keep(name, true);
  };
}
