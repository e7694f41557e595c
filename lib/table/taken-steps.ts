import * as v from 'valibot';
import { type DataStep, dataSteps, listOwnSteps } from './data-steps.ts';
import { TableUnavailableError } from './errors.ts';
import { dataStepsKey } from './keys.ts';
import { parseItem } from './parse-item.ts';
import { readItem } from './reads.ts';
import type { Table } from './table.ts';
import { changeItem } from './writes.ts';

const StepsItem = v.object({
  type: v.literal('data_steps'),
  schema_version: v.literal(1),
  steps: v.array(v.object({ number: v.number(), since: v.string(), brings: v.string() })),
});

/** A later release has changed the data, and this one would damage it. */
export class NewerDataError extends TableUnavailableError {
  override readonly name = 'NewerDataError';
  constructor(unknown: readonly DataStep[]) {
    const named = unknown.map(({ number, since, brings }) => `${number} (${since}: ${brings})`);
    super(
      {},
      `The data was written by a later release, and this one would damage it. It does not know step ${named.join(' and ')}. ` +
        'Run that release, or restore a backup from before the update (docs/updating.md).',
    );
  }
}

/**
 * Refuses data that has taken a step which this release does not know. Without a record, no release
 * with steps has written yet.
 */
export async function checkSteps(table: Table): Promise<void> {
  await readKnown(table);
}

/** Records the steps of this release. Refuses the data as `checkSteps` does. */
export async function takeSteps(table: Table): Promise<void> {
  const taken = await readKnown(table);
  const own = listOwnSteps(dataSteps);
  if (own.every(({ number }) => taken.some((step) => step.number === number))) return;
  // Releases that take steps at the same time write the same list, or refuse each other's data.
  await changeItem(table, dataStepsKey(), {
    set: { type: 'data_steps', schema_version: 1, steps: own.map(record) },
  });
}

function record({ number, since, brings }: DataStep): object {
  return { number, since, brings };
}

async function readKnown(table: Table): Promise<readonly DataStep[]> {
  const read = (stored: unknown) => parseItem(StepsItem, stored);
  const { steps } = (await readItem(table, dataStepsKey(), read)) ?? { steps: [] };
  const unknown = steps.filter(({ number }) => !dataSteps.some((step) => step.number === number));
  if (unknown.length > 0) throw new NewerDataError(unknown);
  return steps;
}
