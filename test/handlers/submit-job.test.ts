import {
  GetCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { handler } from '#functions/jobs/submit-job.ts';
import type { JobId } from '#lib/catalog/identifiers.ts';
import type { ApiResponse } from '#lib/http/respond.ts';
import { jobId } from '#test/fixtures/names.ts';
import { call } from '../fixtures/call.ts';
import { profileItem } from '../fixtures/profiles.ts';
import { answer, readResponse } from '../fixtures/responses.ts';
import {
  hpcOne,
  hpcTwo,
  jobBody,
  quotaItem,
  type SystemSample,
  submittedAt,
  systemSamples,
} from '../fixtures/samples.ts';
import { mockStorage } from '../fixtures/storage-mock.ts';
import {
  acceptance,
  firstContact,
  numbersTaken,
  profileRead,
  submission,
} from '../fixtures/submissions.ts';
import {
  canceled,
  conditionFailed,
  mockTable,
  passed,
  quotaQuery,
  quotaRead,
  sentCommands,
} from '../fixtures/table-mock.ts';
import { emptyZip, zipOf } from '../fixtures/zip.ts';

const table = mockTable();
const storage = mockStorage();

beforeEach(() => {
  table.reset();
  storage.reset();
  table.on(UpdateCommand).resolves({ Attributes: { value: 80 } });
  table.on(TransactWriteCommand).resolves({});
  table.on(QueryCommand).resolves({ Items: [] });
  vi.useFakeTimers({ toFake: ['Date'], now: submittedAt });
});
afterEach(() => vi.useRealTimers());

/** The part of an answer that nobody can know before. */
function jobIdOf(response: ApiResponse): JobId {
  return jobId(JSON.parse(response.body ?? '{}').job_id);
}

function transaction(index = 0) {
  return table.commandCalls(TransactWriteCommand)[index]?.args[0].input.TransactItems;
}

/** Reads of the profile find it or not; reads of the quota find what is there by then. */
/** The profile as one look after the other finds it; the last one goes for all later ones. */
function answerReads(profiles: readonly object[], sample: SystemSample) {
  const looks = [...profiles];
  table.on(GetCommand).callsFake(({ Key }) => {
    if (Key.SK !== 'PROFILE') return { Item: quotaItem(sample) };
    return looks.length > 1 ? looks.shift() : looks[0];
  });
}

describe.each(systemSamples)('POST /jobs/{hpc}/ on $hpc', (sample) => {
  it('answers 201 with the job in its first stage, and where it is', async () => {
    const response = await call(handler, submission(sample));
    const made = jobIdOf(response);
    expect(made).toMatch(sample.jobIdForm);
    expect(readResponse(response)).toEqual(
      answer(201, jobBody(sample, { jobId: made }), {
        location: `https://slipway.test/jobs/${sample.hpc}/${sample.project}/${made}/`,
      }),
    );
  });

  it('writes the body in the form of the contract, floats as floats', async () => {
    const response = await call(handler, submission(sample));
    expect(response.body).toBe(
      `{"end_date":null,"failed":false,"id":80,"init_date":"2019-02-10T22:40:01Z",` +
        `"job_id":"${jobIdOf(response)}","owner":"306328","project":${sample.projectNumber},` +
        `"project_hpc":"${sample.projectHpc}","project_name":"${sample.project}",` +
        `"runtime":${sample.runtimeText},"stage":"${sample.firstStage}","terminal_stage":false,` +
        `"title":"a job title"}`,
    );
  });

  it('takes a number, then writes job, request, hold and ledger line at once', async () => {
    const response = await call(handler, submission(sample));
    const accepted = { id: 80, jobId: jobIdOf(response), at: submittedAt };
    expect(sentCommands(table)).toEqual([
      numbersTaken('job', 1),
      ['TransactWriteCommand', { TransactItems: acceptance(sample, accepted) }],
    ]);
  });

  it('puts the zip in its place before it takes the job', async () => {
    let seen: string[] = [];
    table.on(TransactWriteCommand).callsFake(() => {
      seen = [...storage.calls];
      return {};
    });
    const response = await call(handler, submission(sample));
    const place = `/inputs-test/306328/${jobIdOf(response)}.zip`;
    expect(seen).toEqual([`PUT ${place}`]);
    expect(storage.calls).toEqual(seen);
    expect(Buffer.from(storage.objects.get(place) ?? []).equals(emptyZip)).toBe(true);
  });

  it('takes the project from the path, with and without the slash', async () => {
    for (const slash of ['/', '']) {
      const path = `/jobs/${sample.hpc}/${sample.project}${slash}`;
      const response = await call(handler, submission(sample, { path }));
      expect(readResponse(response).body).toEqual(jobBody(sample, { jobId: jobIdOf(response) }));
    }
  });

  it('takes JSON numbers as it takes text', async () => {
    const payload = { ...sample.payload, node_number: 2, core_number: 6, runtime: 2 };
    const response = await call(handler, submission(sample, { payload }));
    const accepted = { id: 80, jobId: jobIdOf(response), at: submittedAt };
    expect(response.statusCode).toBe(201);
    expect(transaction()).toEqual(acceptance(sample, accepted));
  });

  it('gives two equal submissions two jobs', async () => {
    const first = await call(handler, submission(sample));
    const second = await call(handler, submission(sample));
    expect(jobIdOf(first)).not.toBe(jobIdOf(second));
  });

  it('welcomes a new user first, and then takes the job', async () => {
    table
      .on(TransactWriteCommand)
      .rejectsOnce(canceled([conditionFailed(), passed, passed, passed]))
      .resolves({});
    answerReads([{}], sample);
    table
      .on(UpdateCommand)
      .resolvesOnce({ Attributes: { value: 80 } })
      .resolves({ Attributes: { value: 12 } });
    const response = await call(handler, submission(sample));
    const accepted = { id: 80, jobId: jobIdOf(response), at: submittedAt };
    expect(readResponse(response).body).toEqual(jobBody(sample, accepted));
    expect(sentCommands(table)).toEqual([
      numbersTaken('job', 1),
      ['TransactWriteCommand', { TransactItems: acceptance(sample, accepted) }],
      profileRead,
      quotaQuery('QUOTA#'),
      numbersTaken('quota', 2),
      ['TransactWriteCommand', { TransactItems: firstContact(submittedAt, 11) }],
      quotaRead(sample),
      ['TransactWriteCommand', { TransactItems: acceptance(sample, accepted) }],
    ]);
  });

  it.each([
    {
      moment: 'before this call looked for a profile',
      profiles: [{ Item: profileItem() }],
      welcome: [],
    },
    {
      moment: 'between the look and the welcome',
      profiles: [{}, { Item: profileItem() }],
      welcome: [canceled([conditionFailed(), passed, passed, passed, passed])],
    },
  ])('takes the job where another call welcomed the user $moment', async (race) => {
    const refusals = [canceled([conditionFailed(), passed, passed, passed]), ...race.welcome];
    const transactions = table.on(TransactWriteCommand);
    for (const refusal of refusals) transactions.rejectsOnce(refusal);
    transactions.resolves({});
    answerReads(race.profiles, sample);
    const response = await call(handler, submission(sample));
    expect(response.statusCode).toBe(201);
    const accepted = { id: 80, jobId: jobIdOf(response), at: submittedAt };
    expect(transaction(refusals.length)).toEqual(acceptance(sample, accepted));
  });
});

describe('POST /jobs/{hpc}/', () => {
  it.each([1e-6, 1e16, 1e126, 1e300])(
    'writes nothing that the table cannot hold where %d hours are asked for',
    async (runtime) => {
      const payload = { ...hpcOne.payload, runtime };
      const response = await call(handler, submission(hpcOne, { payload }));
      expect(readResponse(response).body).toMatchObject({
        runtime: Math.max(1 / 3600, Math.min(runtime, 24)),
      });
      for (const { Put, Update } of transaction() ?? []) {
        expect(() =>
          marshall(
            { ...Put?.Item, ...Update?.ExpressionAttributeValues },
            { removeUndefinedValues: true },
          ),
        ).not.toThrow();
      }
    },
  );

  it('holds the whole seconds that were granted, not those that were asked for', async () => {
    const payload = { ...hpcTwo.payload, node_number: '3', runtime: '0.1' };
    await call(handler, submission(hpcTwo, { payload }));
    expect(transaction()?.[0]?.Update?.ExpressionAttributeValues).toMatchObject({
      ':added_time_held': 1080,
    });
  });

  it('takes a job without input: nothing is held of its space', async () => {
    const { body: _, ...request } = submission(hpcOne);
    const response = await call(handler, request);
    expect(response.statusCode).toBe(201);
    expect(transaction()?.[0]?.Update?.ExpressionAttributeValues).toMatchObject({
      ':added_space_held': 0,
    });
    expect(transaction()?.[3]?.Put?.Item).toMatchObject({ input_bytes: 0 });
    expect(transaction()?.[3]?.Put?.Item?.input_key).toBeUndefined();
    expect(storage.calls).toEqual([]);
  });

  it('holds the kilobytes of its input, rounded up', async () => {
    await call(handler, submission(hpcOne, { body: zipOf(1001) }));
    expect(transaction()?.[0]?.Update?.ExpressionAttributeValues).toMatchObject({
      ':added_space_held': 2,
    });
  });

  it('folds the name of the tool, and keeps the extras of hpc_two', async () => {
    const extras = { init_file: 'main.py', python_option: '-u' };
    const payload = { ...hpcTwo.payload, tool: 'neuron74_tg', ...extras };
    const response = await call(handler, submission(hpcTwo, { payload }));
    expect(jobIdOf(response)).toMatch(hpcTwo.jobIdForm);
    expect(transaction()?.[3]?.Put?.Item).toMatchObject({ program: 'NEURON74_TG', extras });
  });

  it('reads a title in UTF-8 from the bytes of the header', async () => {
    const title = 'Zellkörper 細胞';
    const payload = JSON.stringify({ ...hpcOne.payload, title });
    const header = Buffer.from(payload, 'utf8').toString('latin1');
    const response = await call(handler, submission(hpcOne, { payload: header }));
    expect(readResponse(response).body).toMatchObject({ title });
  });

  it('gives a job without a title an empty one', async () => {
    const { title: _, ...payload } = hpcOne.payload;
    const response = await call(handler, submission(hpcOne, { payload }));
    expect(readResponse(response).body).toMatchObject({ title: '' });
  });
});
