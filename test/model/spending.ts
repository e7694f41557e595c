import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { expect } from 'vitest';
import { accountOf } from '#lib/jobs/job.ts';
import { countEnds } from '#lib/reports/count-ends.ts';
import type { EndedJob } from '#lib/reports/ended-job.ts';
import { readSpending } from '#lib/spending/spending-store.ts';
import { spendingKey } from '#lib/table/keys.ts';
import type { Fault } from './history.ts';
import type { Ledgers } from './ledgers.ts';
import type { Scene } from './scene.ts';

/** The budget is one for all accounts, so each history begins without costs. */
export async function forgetSpending({ table }: Scene): Promise<void> {
  await table.client.send(new DeleteCommand({ TableName: table.name, Key: { ...spendingKey() } }));
}

/** A listener counts what settled jobs cost. It may die, and it hears of each end twice. */
export async function countCosts(scene: Scene, ledgers: Ledgers): Promise<void> {
  const jobs = scene.model.uncounted.splice(0);
  if (jobs.length === 0) return;
  const ends: EndedJob[] = [];
  for (const job of jobs) {
    ends.push(await ledgers.findEnd(accountOf(scene.recordOf(job)), job.jobId));
  }
  const count = () => countEnds(scene.table, ends);
  await scene.attempt(faultAt(scene.now), count);
  await count();
}

/** Two listeners of three die, before or after their transaction. */
function faultAt(now: Date): Fault | null {
  const chosen = Math.trunc(now.getTime() / 1000) % 3;
  return chosen === 0 ? null : { kind: 'crash', at: 2, takesEffect: chosen === 1 };
}

/** To the millionth of a US dollar. */
export async function verifySpending({ table, model, now }: Scene): Promise<void> {
  expect(await readSpending(table, now), 'the costs of the month').toEqual(model.spending());
}
