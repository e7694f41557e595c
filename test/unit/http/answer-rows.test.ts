import { describe, expect, it } from 'vitest';
import { answerRows } from '#lib/http/presenters/answer-rows.ts';
import { JobNotFoundError } from '#lib/jobs/errors.ts';
import { TableBusyError } from '#lib/table/errors.ts';

const rows = [1, 2, 3].map((line) => ({ line, output: line * 10 }));
const enough = { isOver: () => false };

describe('the answers of rows', () => {
  it('are in their order, with what is wrong beside what is done', async () => {
    const wrong = { location: 'body', name: 'a', message: 'It must be text.' } as const;
    const work = async (output: number) => {
      if (output === 20) throw new JobNotFoundError();
      return { outcome: 'done', output };
    };
    const answers = await answerRows([...rows, { line: 5, problems: [wrong] }], enough, work);
    expect(answers).toMatchObject([
      { line: 1, outcome: 'done', output: 10 },
      { line: 2, outcome: 'refused', problem: { type: 'urn:slipway:problem:job-not-found' } },
      { line: 3, outcome: 'done', output: 30 },
      { line: 5, outcome: 'refused', problem: { errors: [wrong] } },
    ]);
  });

  it('say of what there was no time for that it is not done', async () => {
    const done: number[] = [];
    const time = { isOver: () => done.length > 0 };
    const work = async (output: number) => {
      done.push(output);
      return { outcome: 'done' };
    };
    expect(await answerRows(rows, time, work)).toEqual([
      { line: 1, outcome: 'done' },
      { line: 2, outcome: 'not-done' },
      { line: 3, outcome: 'not-done' },
    ]);
    expect(done).toEqual([10]);
  });

  it('are none where the service is at fault: the rows can be sent again', async () => {
    const work = () => Promise.reject(new TableBusyError());
    await expect(answerRows(rows, enough, work)).rejects.toThrow(TableBusyError);
  });
});
