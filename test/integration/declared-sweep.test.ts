import { beforeAll, describe, expect, it } from 'vitest';
import { schedules } from '#functions/schedules.ts';
import { deleteJob } from '#lib/jobs/cancel/delete-job.ts';
import { accountOf } from '#lib/jobs/job.ts';
import { systemName, userId } from '#test/fixtures/names.ts';
import { tableForAll } from '../engines/use-table.ts';
import { createWorld } from '../fixtures/life.ts';

/** The role of track-jobs is built from its declaration: what a sweep does must be in it. */
const used = new Set<string>();
let noting = false;
const table = tableForAll();
beforeAll(() => {
  table.client.middlewareStack.add(
    (next, { commandName = '' }) =>
      (parameters) => {
        if (noting) for (const action of actionsOf(commandName, parameters.input)) used.add(action);
        return next(parameters);
      },
    { step: 'initialize' },
  );
});

function actionsOf(commandName: string, input: object): string[] {
  const action = commandName.replace(/Command$/, '');
  if (action !== 'TransactWriteItems') return [action];
  const { TransactItems = [] }: { TransactItems?: object[] } = input;
  return TransactItems.flatMap((item) => Object.keys(item).map((kind) => `${kind}Item`));
}

describe('a sweep', () => {
  it('does with the table, from hand-over to end and cancel, what track-jobs declares', async () => {
    const world = createWorld(table, systemName('hpc_one'));
    const sweep = async () => {
      noting = true;
      await world.sweep();
      noting = false;
      world.pass(40);
    };
    await world.submit(userId('1'));
    for (let count = 0; count < 4; count += 1) await sweep();
    const cancelled = await world.submit(userId('1'));
    await sweep();
    await deleteJob(table, accountOf(cancelled), cancelled.jobId, world.now());
    await sweep();
    // PutItem is the ledger line; the note of which systems answer is a put as well.
    expect([...used].sort()).toEqual([...schedules['track-jobs'].table.actions].sort());
  });
});
