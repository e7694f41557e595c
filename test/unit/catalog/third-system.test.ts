import {
  GetCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, it } from 'vitest';
import { defaultProject, findSystem } from '#lib/catalog/catalog.ts';
import { InvalidRequestError } from '#lib/http/errors.ts';
import { jobListQuery } from '#lib/http/parsers/queries/job-queries.ts';
import { readQuery, readRequest } from '#lib/http/parsers/read-request.ts';
import { inputBody } from '#lib/http/parsers/submission/input-body.ts';
import { submissionHeaders } from '#lib/http/parsers/submission/submission-headers.ts';
import { presentJob } from '#lib/http/presenters/present-job.ts';
import { submitJob } from '#lib/jobs/submit/submit-job.ts';
import { welcomeUser } from '#lib/quotas/welcome.ts';
import { openTable } from '#lib/table/table.ts';
import { apiEvent } from '#test/fixtures/api-event.ts';
import { createMemoryFiles } from '#test/fixtures/memory-files.ts';
import { parseHeader } from '#test/fixtures/payloads.ts';
import { outputOf } from '#test/fixtures/problems-of.ts';
import { user } from '#test/fixtures/samples.ts';
import { mockTable, tableName } from '#test/fixtures/table-mock.ts';
import { thirdSystem, threeSystems } from '#test/fixtures/third-system.ts';
import { emptyZip } from '#test/fixtures/zip.ts';

const mock = mockTable();
const table = openTable(tableName);
const hpc = findSystem(threeSystems, 'hpc_three');

const payload = { tool: 'anneal', node_number: '3', core_number: 5, runtime: '9', seed: ' 42 ' };

beforeEach(() => {
  mock.reset();
  mock.on(UpdateCommand).resolves({ Attributes: { value: 3 } });
  mock.on(TransactWriteCommand).resolves({});
  mock.on(QueryCommand).resolves({ Items: [] });
  mock.on(GetCommand).resolves({});
});

function itemsOf(call = 0) {
  const items = mock.commandCalls(TransactWriteCommand)[call]?.args[0].input.TransactItems ?? [];
  return items.map(({ Put, Update }) => Put?.Item ?? Update?.ExpressionAttributeValues);
}

describe('a third system, as data', () => {
  it('has fields and limits of its own', () => {
    expect(parseHeader(thirdSystem, JSON.stringify(payload)).payload).toEqual({
      program: 'ANNEAL',
      nodes: 3,
      coresPerNode: 5,
      requestedRuntime: 9,
      title: '',
      extras: { seed: '42' },
    });
    const wrong = { tool: 'annealing', node_number: 4, core_number: 6, runtime: 1, seed: '12345' };
    const { problems } = parseHeader(thirdSystem, JSON.stringify({ ...wrong, init_file: 'x' }));
    expect(problems.map(({ name, message }) => `${name}: ${message}`)).toEqual([
      'init_file: Unknown field on hpc_three. ' +
        'Known fields: tool, node_number, core_number, runtime, title, seed, after, after_any, ' +
        'input_from, input_folder, input_failed.',
      'tool: It has 9 characters, but at most 8 are allowed.',
      'node_number: It must be a whole number from 1 to 3.',
      'core_number: It must be a whole number from 1 to 5.',
      'seed: It has 5 characters, but at most 4 are allowed.',
    ]);
  });

  it('takes a job: its own identifier, stage, runtime, charging and project', async () => {
    const event = apiEvent({
      method: 'POST',
      path: '/jobs/hpc_three/',
      headers: {
        payload: JSON.stringify(payload),
        'content-disposition': 'attachment; filename=a.zip',
      },
      body: emptyZip,
    });
    const declaration = { headers: submissionHeaders(hpc), body: inputBody };
    const { headers, body: source } = await readRequest(declaration, {}, event);
    const input = { fileName: headers.fileName, source };
    const project = defaultProject(hpc);
    const submission = { owner: user, system: hpc, project, ...headers.payload, input };
    const { inputs } = createMemoryFiles();
    const context = { table, catalog: threeSystems, inputs };
    const { job } = await submitJob(context, submission);
    expect(job.jobId).toMatch(/^Q3-ANNEAL-[0-9A-F]{32}$/);
    expect(JSON.parse(JSON.stringify(presentJob(job)))).toMatchObject({
      project: 7,
      project_hpc: 'HPC_THREE',
      project_name: 'proj_hpc_three_01',
      runtime: 1.5,
      stage: 'COLD',
      terminal_stage: false,
    });
    expect(itemsOf()[0]).toMatchObject({
      ':added_time_held': 3 * 5 * 1.5 * 3600,
      ':added_space_held': 1,
    });
  });

  it('welcomes new users with its own quota', async () => {
    await welcomeUser(table, threeSystems, user);
    const quotas = itemsOf().filter((item) => item?.type === 'quota');
    expect(quotas).toHaveLength(3);
    expect(quotas[2]).toMatchObject({
      id: 3,
      SK: 'QUOTA#hpc_three#proj_hpc_three_01',
      time_left: 100,
      space_left: 10,
    });
  });

  it('has stages of its own in its lists', () => {
    const schema = jobListQuery(threeSystems, hpc);
    const filter = (rawQueryString: string) =>
      outputOf(readQuery(schema, { rawQueryString })).list.filter;
    expect(filter('stage=WARM').stage).toBe('WARM');
    expect(() => filter('stage=QUEUED')).toThrow(InvalidRequestError);
  });
});
