import { expect, it } from 'vitest';
import { readOpened } from '#test/fixtures/byte-streams.ts';
import { openNsg, order, tag } from './open-nsg.ts';

it('a job goes from its submission to its files', async () => {
  const { server, connector } = await openNsg();
  const stageOf = async () => (await connector.lookUp([job])).get(tag.jobId);
  await connector.validate(order);
  const job = { ...tag, handle: await connector.submit(order) };
  const remote = server.jobs.get(job.handle)!;
  expect(await connector.findByTag(tag)).toBe(job.handle);
  expect(await stageOf()).toEqual({ state: 'living', stage: 'QUEUE' });
  remote.stage = 'SUBMITTED';
  remote.workingDirectory = new Map([['STDOUT', 'so far']]);
  expect(await stageOf()).toEqual({ state: 'living', stage: 'SUBMITTED' });
  const [running] = await connector.listFiles(job);
  expect(String(await readOpened(connector.openFile(job, running!.id)))).toBe('so far');
  const last = { timestamp: '2026-01-05T09:30:00-08:00', stage: 'COMPLETED', text: 'over' };
  Object.assign(remote, { stage: 'COMPLETED', terminal: true, messages: [last] });
  remote.output.set(3, { name: 'done.txt', text: 'retval=0' });
  expect(await stageOf()).toEqual({
    state: 'ended',
    stage: 'COMPLETED',
    failed: false,
    endedAt: new Date('2026-01-05T17:30:00Z'),
  });
  const [result] = await connector.listFiles(job);
  expect(String(await readOpened(connector.openFile(job, result!.id)))).toBe('retval=0');
  server.close();
});
