import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { writeChange } from '#lib/table/change.ts';
import { checkSteps, dataSteps, NewerDataError, takeSteps } from '#lib/table/data-steps.ts';
import { dataStepsKey } from '#lib/table/keys.ts';
import { readItem } from '#lib/table/reads.ts';
import { openTable, type Table } from '#lib/table/table.ts';
import { updateItem } from '#lib/table/writes.ts';
import { startService } from '#local/start-service.ts';
import { embedded } from '../engines/engines.ts';
import { type OpenedTable, openTableOn } from '../engines/open-table-on.ts';

const refusal =
  'The data was written by a later release, and this one would damage it. It does not know step 99 (9.9.0: something new). ' +
  'Run that release, or restore a backup from before the update (docs/updating.md).';

function writeSteps(table: Table, steps: readonly object[]) {
  const set = { type: 'data_steps', schema_version: 1, steps };
  return updateItem(table, { Key: dataStepsKey(), ...writeChange({ set }) });
}

const planted = [...dataSteps, { number: 99, since: '9.9.0', brings: 'something new' }];
const readSteps = (table: Table) => readItem(table, dataStepsKey(), ({ steps }) => steps);

describe('the steps of the data', () => {
  let opened: OpenedTable;
  beforeEach(async () => {
    opened = await openTableOn(embedded, 'slipway-steps');
  });
  afterEach(() => opened.close());

  it('have numbers that are never used again', () => {
    expect(dataSteps.map(({ number }) => number)).toEqual(dataSteps.map((_, place) => place + 1));
  });

  it('are recorded in data that has none yet, or only earlier ones', async () => {
    const { table } = opened;
    await checkSteps(table);
    expect(await readSteps(table)).toBeUndefined();
    await takeSteps(table);
    expect(await readSteps(table)).toEqual(dataSteps);
    await writeSteps(table, dataSteps.slice(0, 1));
    await takeSteps(table);
    expect(await readSteps(table)).toEqual(dataSteps);
  });

  it('are refused in words if one of them is of a later release, and stay', async () => {
    const { table } = opened;
    await writeSteps(table, planted);
    for (const use of [checkSteps, takeSteps]) {
      await expect(use(table)).rejects.toThrow(NewerDataError);
      await expect(use(table)).rejects.toThrow(refusal);
    }
    expect(await readSteps(table)).toEqual(planted);
  });
});

describe('the laptop edition', () => {
  it('does not start on data of a later release, however often it is tried', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'slipway-'));
    const start = () =>
      startService({ port: 0, dataDirectory: join(folder, 'data'), stateDirectory: folder });
    try {
      const first = await start();
      const table = openTable('slipway', { endpoint: first.dynamoDbEndpoint });
      expect(await readSteps(table)).toEqual(dataSteps);
      await writeSteps(table, planted);
      table.client.destroy();
      await first.close();
      await expect(start()).rejects.toThrow(refusal);
      // The refused start has closed what it opened.
      await expect(start()).rejects.toThrow(refusal);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
