import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { recordAct } from '#lib/audit/audit-store.ts';
import type { UserId } from '#lib/catalog/identifiers.ts';
import { ifRevision } from '#lib/table/conditions.ts';
import { attribute, defineItem, number, type Stored } from '#lib/table/define-item.ts';
import { StaleReadError } from '#lib/table/errors.ts';
import { leadersKey, type ProjectKey } from '#lib/table/keys.ts';
import { readItem } from '#lib/table/reads.ts';
import { StoredUserId } from '#lib/table/stored-names.ts';
import type { Table } from '#lib/table/table.ts';
import { decideUntilWritten, type Step, writeTransaction } from '#lib/table/transaction.ts';
import { dropLead, noteLead } from './led-projects.ts';

const storedLeaders = defineItem('leaders', () => ({
  leaders: attribute('leaders', v.array(StoredUserId)),
  /** Increases with every change. A write names the revision that it read. */
  revision: number('revision'),
}));

interface Leaders extends Stored<typeof storedLeaders> {}

/** All of them fit into one transaction, with room for as many who step down. */
export const mostLeaders = 20;

export async function readLeaders(table: Table, project: ProjectKey): Promise<readonly UserId[]> {
  return (await findLeaders(table, project)).leaders;
}

async function findLeaders(table: Table, project: ProjectKey): Promise<Leaders> {
  const found = await readItem(table, leadersKey(project), storedLeaders.parse);
  return found ?? { leaders: [], revision: 0 };
}

interface LeadersOrder {
  readonly project: ProjectKey;
  readonly leaders: readonly UserId[];
  readonly reason: string;
  /** The administrator. */
  readonly by: string;
}

/** Replaces the leaders of a project. An order without effect writes nothing. */
export async function setLeaders(
  table: Table,
  { project, by, reason, ...order }: LeadersOrder,
  at = new Date(),
): Promise<void> {
  const wanted = [...new Set(order.leaders)].sort((a, b) => Number(a) - Number(b));
  await decideUntilWritten(async () => {
    const before = await findLeaders(table, project);
    const added = wanted.filter((user) => !before.leaders.includes(user));
    const removed = before.leaders.filter((user) => !wanted.includes(user));
    if (added.length + removed.length === 0) return;
    const details = { leaders: { before: nameAll(before.leaders), after: nameAll(wanted) } };
    await writeTransaction(table, [
      saveLeaders(project, { leaders: wanted, revision: before.revision + 1 }),
      ...added.map((user) => noteLead({ user, ...project })),
      ...removed.map((user) => dropLead({ user, ...project })),
      // One for each, so that the audit of a person has it.
      ...[...added, ...removed].map((user) =>
        recordAct({
          id: randomUUID(),
          kind: 'leaders-changed',
          at,
          by,
          reason,
          subject: { user, ...project },
          details,
        }),
      ),
    ]);
  });
}

function nameAll(users: readonly UserId[]): string | null {
  return users.length > 0 ? users.join(', ') : null;
}

function saveLeaders(project: ProjectKey, leaders: Leaders): Step {
  return {
    Put: {
      Item: { ...leadersKey(project), ...storedLeaders.format(leaders) },
      ...ifRevision(leaders.revision - 1),
    },
    refuse: () => new StaleReadError(),
  };
}
