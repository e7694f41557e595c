import { expect, it } from 'vitest';
import { readOpened } from '#test/fixtures/byte-streams.ts';
import { openUnicore, order, tag } from './open-unicore.ts';

it('a job goes from its submission to its files', async () => {
  const { server, connector } = await openUnicore();
  const stageOf = async () => (await connector.lookUp([job])).get(tag.jobId);
  const job = { ...tag, handle: await connector.submit(order) };
  const remote = server.jobs.get(job.handle)!;
  expect(await connector.findByTag(tag)).toBe(job.handle);
  expect(await stageOf()).toEqual({ state: 'living', stage: 'QUEUED' });
  remote.status = 'RUNNING';
  expect(await stageOf()).toEqual({ state: 'living', stage: 'RUNNING' });
  remote.status = 'SUCCESSFUL';
  remote.properties = { exitCode: '0', consumedTime: { total: '90', main: '60' } };
  remote.files.set('stdout', Buffer.from('done'));
  expect(await stageOf()).toEqual({
    state: 'ended',
    stage: 'SUCCESSFUL',
    failed: false,
    usedSeconds: 60,
    endedAt: new Date('2026-01-05T08:01:30Z'),
  });
  const files = await connector.listFiles(job);
  const stdout = files.find(({ name }) => name === 'stdout')!;
  expect(String(await readOpened(connector.openFile(job, stdout.id)))).toBe('done');
  server.close();
});
