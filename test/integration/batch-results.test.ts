import { describe, expect, it } from 'vitest';
import { readResults, selectRange } from '#lib/batches/read-results.ts';
import type { FileSource } from '#lib/files/results/job-file.ts';
import type { FileOwner } from '#lib/files/results/open-file-source.ts';
import { type Job, jobFromItem } from '#lib/jobs/job.ts';
import { putItem } from '#lib/table/writes.ts';
import { tableForEach } from '../engines/use-table.ts';
import { batchSample } from '../fixtures/batches.ts';
import { jobId } from '../fixtures/names.ts';
import { hpcOne, jobItem, lifeItem } from '../fixtures/samples.ts';

const table = tableForEach();

const { firstId, owner, id } = batchSample;

describe('the results of a batch', () => {
  const jobOf = (place: number, ended: boolean): Job =>
    jobFromItem(jobItem(hpcOne, { id: firstId + place, jobId: jobId(`JOB-${place}`), ended }));
  const holdLife = (place: number) =>
    putItem(table, {
      Item: {
        ...lifeItem(hpcOne, { jobId: jobId(`JOB-${place}`) }),
        handle: `h${place}`,
        login: 'ada',
        run: 2,
      },
    });
  const neverAsked = () => Promise.reject(new Error('Only one file is looked for.'));

  it('are the file of each ended job, as the run that counts left it', async () => {
    const jobs = [jobOf(3, true), jobOf(4, false), jobOf(5, true)];
    await holdLife(3);
    await holdLife(4);
    const asked: FileOwner[] = [];
    const openFiles = (job: FileOwner): FileSource => {
      asked.push(job);
      return {
        list: neverAsked,
        page: neverAsked,
        fetch: neverAsked,
        find: async (name) => ({ id: name, name, bytes: 1, content: Buffer.from('x') }),
      };
    };
    const source = { table, batch: batchSample, openFiles, atOnce: 2 };
    const results = await readResults(source, jobs, 'stdout');
    expect(results).toMatchObject([
      { job: { id: 83 }, place: 3, result: { state: 'included', file: { name: 'stdout' } } },
      { job: { id: 84 }, place: 4, result: { state: 'active' } },
      // An imported job has no life, and the service never had its files.
      { job: { id: 85 }, place: 5, result: { state: 'missing' } },
    ]);
    expect(asked).toMatchObject([{ jobId: 'JOB-3', handle: 'h3', login: 'ada', run: 2 }]);
  });

  it('are those of all jobs, or from one place to another', () => {
    const batch = { ...batchSample, count: 10 };
    const select = (range: { first?: number; last?: number }) =>
      selectRange(batch, { owner, batch: id, name: 'stdout', ...range });
    expect(select({})).toEqual({ first: 80, last: 89 });
    expect(select({ first: 3 })).toEqual({ first: 83, last: 89 });
    expect(select({ first: 3, last: 5 })).toEqual({ first: 83, last: 85 });
    expect(select({ last: 100 })).toEqual({ first: 80, last: 89 });
  });
});
