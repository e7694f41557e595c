import { mkdtempSync, readFileSync } from 'node:fs';
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Cluster, startCluster } from './cluster.ts';
import { pollUntil } from './poll-until.ts';
import { type BatchBody, meetResearcher } from './researcher.ts';
import { type ServiceOnSlurm, startServiceOn } from './service.ts';

const count = 40;
/** 0 + 1 + … + 39, and how many answers there were. */
const collected = '780 of 40';

let cluster: Cluster;
let slipway: ServiceOnSlurm;

beforeAll(async () => {
  cluster = await startCluster({ hasAccounting: true });
  slipway = await startServiceOn(cluster);
}, 300_000);

afterAll(async () => {
  await slipway?.close();
  await cluster?.close();
}, 60_000);

const wishes = { runtime: 1 / 60 };
const addUp = `cat */answer.txt | awk '{ sum += $1 } END { print sum " of " NR }' > sum.txt`;

describe('a sweep of forty, and a job that collects it', () => {
  it('are two submissions, of which the second waits', async () => {
    const ada = meetResearcher(slipway.service, '306328');
    const sweep = await ada.submitBatch(
      'echo "$SLIPWAY_INDEX" > answer.txt',
      { count: String(count) },
      wishes,
    );
    const { batch_id: id } = sweep.body;
    const last = await ada.submit(`cd sweep && ${addUp}`, {
      ...wishes,
      fields: { input_from: id, input_folder: 'sweep' },
    });
    expect((await ada.readTimeline(last.path)).reason).toMatch(`Waiting for ${id} (running`);
    const ended = await ada.waitForEnd(last.path, 300);
    expect(ended).toMatchObject({ stage: 'SUCCESSFUL', failed: false });
    expect((await ada.read<BatchBody>(sweep.path)).counts).toMatchObject({ done: count });
    const files = await ada.listFiles(last.path);
    const sum = files.find(({ filename }) => filename === 'sweep/sum.txt');
    expect(String(await ada.fetchFile(last.path, sum?.fileid ?? '')).trim()).toBe(collected);
  }, 400_000);

  it('leaves out what failed if it is asked to', async () => {
    const bob = meetResearcher(slipway.service, '306329');
    const sweep = await bob.submitBatch(
      'echo "$SLIPWAY_INDEX" > answer.txt; test "$SLIPWAY_INDEX" -ne 2',
      { count: '4' },
      wishes,
    );
    const from = { input_from: sweep.body.batch_id };
    const strict = await bob.submit(addUp, { ...wishes, fields: from });
    const fields = { ...from, input_failed: 'leave_out' };
    const loose = await bob.submit(addUp, { ...wishes, fields });
    expect(await bob.waitForEnd(strict.path, 300)).toMatchObject({ stage: 'CANCELED' });
    expect((await bob.readTimeline(strict.path)).reason).toContain('set input_failed to leave_out');
    expect(await bob.waitForEnd(loose.path, 300)).toMatchObject({ stage: 'SUCCESSFUL' });
    const files = await bob.listFiles(loose.path);
    const sum = files.find(({ filename }) => filename === 'sum.txt');
    expect(String(await bob.fetchFile(loose.path, sum?.fileid ?? '')).trim()).toBe('4 of 3');
  }, 400_000);

  it('are two calls of sbatch by hand, for somebody who is there with the files', async () => {
    const folder = mkdtempSync(join(cluster.workDirectory, 'by-hand-'));
    await chmod(folder, 0o777);
    const sbatch = (options: string, command: string) =>
      cluster.ask(
        ...['su', cluster.user, '-s', '/bin/sh', '-c'],
        `cd ${folder} && SLURM_CONF=${cluster.configFile} sbatch --parsable -t 1 ${options} --wrap '${command}'`,
      );
    const id = await sbatch(
      `--array=0-${count - 1} -o /dev/null`,
      'mkdir $SLURM_ARRAY_TASK_ID && cd $SLURM_ARRAY_TASK_ID && echo $SLURM_ARRAY_TASK_ID > answer.txt',
    );
    const collect = addUp.replaceAll("'", `'"'"'`);
    await sbatch(`--dependency=afterok:${id.trim()}`, collect);
    const read = () => {
      try {
        return readFileSync(join(folder, 'sum.txt'), 'utf8').trim() || undefined;
      } catch {
        return undefined;
      }
    };
    expect(await pollUntil('the sum is there', 300, async () => read())).toBe(collected);
  }, 400_000);
});
