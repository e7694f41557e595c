import { BatchGetCommand, GetCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { handler } from '#functions/files/read-files.ts';
import { asUser, call } from '#test/fixtures/call.ts';
import { captureLog } from '#test/fixtures/captured-log.ts';
import { useTable } from '#test/fixtures/engine-table.ts';
import { answer, jobNotFound, readResponse, refusalOf } from '#test/fixtures/responses.ts';
import {
  hpcOne,
  jobItem,
  lifeItem,
  otherUser,
  systemSamples,
  user,
} from '#test/fixtures/samples.ts';
import { sentCommands } from '#test/fixtures/table-mock.ts';

const table = useTable();
afterEach(() => vi.unstubAllEnvs());

describe.each(systemSamples)('GET /files/ on $hpc', (sample) => {
  const { hpc, project, jobId } = sample;
  const path = `/files/${hpc}/${project}/${jobId}/`;
  const read = (file = '', headers = asUser()) =>
    call(handler, { path: `${path}${file}`, headers });
  const done = { ...jobItem(sample), stage: sample.doneStage, terminal: true };
  const handedOver = { ...lifeItem(sample), handle: jobId };

  /** A job of the simulator that began a day ago. */
  function simulate() {
    const PK = `SIMULATOR#${hpc}`;
    const accepted_at = new Date(Date.now() - 86_400_000).toISOString();
    const stored = (what: string) => ({ type: `simulated-${what}`, schema_version: 1 });
    const order = { program: sample.program, nodes: 2, cores_per_node: 6, input: 'none' };
    return table.hold(
      done,
      handedOver,
      { PK, SK: jobId, ...stored('job'), accepted_at, hours: 0.5, title: 'a job title' },
      { PK, SK: `${jobId}#ORDER`, ...stored('order'), ...order },
    );
  }

  it('lists the files of a job that its system keeps, and asks for nothing else', async () => {
    await simulate();
    const response = readResponse(await read());
    const files = ['listing.txt', 'stderr', 'stdout'].map((name) => ({
      fileid: name,
      filename: name,
      length: expect.any(Number),
    }));
    expect(response).toEqual(answer(200, files));
    expect(response.body).toMatchObject([{ length: 'no input\n'.length }, { length: 0 }, {}]);
    expect(table.sent()).toEqual(['GetItem', 'GetItem', 'GetItem', 'BatchGetItem']);
  });

  it.each(['listing.txt/', 'listing.txt'])('gives the bytes of %s', async (file) => {
    await simulate();
    expect(await read(file)).toEqual({
      statusCode: 200,
      headers: {
        'cache-control': 'no-store',
        'content-disposition': 'attachment; filename=listing.txt',
        'content-type': 'application/octet-stream',
        'referrer-policy': 'no-referrer',
        'strict-transport-security': 'max-age=63072000; includeSubDomains',
        'x-content-type-options': 'nosniff',
      },
      body: Buffer.from('no input\n').toString('base64'),
      isBase64Encoded: true,
    });
  });

  it('names the command or the tool in stdout', async () => {
    await simulate();
    const text = Buffer.from((await read('stdout/')).body ?? '', 'base64').toString();
    expect(text).toContain(`\n${sample.programField}: ${sample.program}\n`);
  });

  it('answers 404 for a file that the job has not', async () => {
    await simulate();
    expect(refusalOf(await read('other/'))).toBe('404 file-not-found');
  });

  it.each([
    { what: 'has not been handed over', items: [jobItem(sample), lifeItem(sample)] },
    { what: 'was brought in from elsewhere', items: [done, lifeItem(sample)] },
    { what: 'was deleted', items: [{ ...done, stage: 'DELETED' }, handedOver] },
  ])('has no files of a job that $what, and asks no system', async ({ items }) => {
    await table.hold(...items);
    expect(readResponse(await read())).toEqual(answer(200, []));
    expect(refusalOf(await read('stdout/'))).toBe('404 file-not-found');
    expect(table.sent()).toHaveLength(4);
  });

  it.each(['', 'stdout/'])(
    'answers 404 for a job that is not the caller’s, at %j',
    async (file) => {
      expect(readResponse(await read(file))).toEqual(jobNotFound);
      await simulate();
      expect(readResponse(await read(file, asUser(otherUser)))).toEqual(jobNotFound);
    },
  );

  it('answers 503 while the system is not called', async () => {
    await simulate();
    const breaker = { PK: `SYSTEM#${hpc}`, SK: 'BREAKER', failures: 5, pause_seconds: 30 };
    await table.hold({ ...breaker, open_until: new Date(Date.now() + 20_000).toISOString() });
    const response = await read();
    expect(refusalOf(response)).toBe('503 system-unavailable');
    expect(response.headers).toMatchObject({ 'retry-after': '30' });
    expect(table.sent()).not.toContain('BatchGetItem');
  });

  it('answers 503 where the system does not answer', async () => {
    captureLog();
    vi.stubEnv('SIM_FAULTS', `${hpc}:down`);
    vi.resetModules();
    const faulty = await import('#functions/files/read-files.ts');
    await simulate();
    const response = await call(faulty.handler, { path, headers: asUser() });
    expect(refusalOf(response)).toBe('503 system-unavailable');
    expect(response.headers).toMatchObject({ 'retry-after': '30' });
  });

  it('refuses parameters', async () => {
    const response = await call(handler, { path, query: 'order=asc', headers: asUser() });
    expect(response.statusCode).toBe(400);
  });
});

describe('read-files with a mocked table', () => {
  const place = `hpc_one#${hpcOne.project}#${hpcOne.jobId}`;
  const path = `/files/${place.replaceAll('#', '/')}/`;
  const read = () => call(handler, { path, headers: asUser() });

  it('reads the job and its life by their keys, consistently', async () => {
    table.mock.on(BatchGetCommand).resolves({});
    table.mock.on(GetCommand).callsFake(({ Key }) => ({
      Item: Key.SK.startsWith('JOB#') ? jobItem(hpcOne) : lifeItem(hpcOne),
    }));
    expect(readResponse(await read())).toEqual(answer(200, []));
    expect(sentCommands(table.mock)).toMatchObject(
      ['JOB', 'LIFE'].map((kind) => [
        'GetCommand',
        { Key: { PK: `USER#${user}`, SK: `${kind}#${place}` }, ConsistentRead: true },
      ]),
    );
  });

  it('answers 404 where the job is not there', async () => {
    table.mock.on(GetCommand).resolves({});
    expect(readResponse(await read())).toEqual(jobNotFound);
  });
});
