import { describe, expect, it } from 'vitest';
import { buildZip } from '../fixtures/build-zip.ts';
import { type Edition, end, openHome } from '../fixtures/edition.ts';
import { Researcher } from '../slurm/researcher.ts';

const deadlineSeconds = 120;

/** Jobs that really run, so that the second reads what the first wrote. */
describe('a chain on this machine', () => {
  it('hands on what the first job wrote, also if the service is killed', async () => {
    const home = openHome();
    const first = await home.start({ SYSTEMS: 'machine' });
    const ada = new Researcher({ ...first, user: '306328' });
    const wrote = await ada.submit('sleep 1; mkdir out; echo 42 > out/answer.txt', {
      runtime: 0.01,
    });
    const zip = buildZip([
      { name: 'main.sh', content: 'echo "$(cat before/out/answer.txt) $(cat note.txt)"' },
      { name: 'note.txt', content: 'mine' },
    ]);
    const fields = { init_file: 'main.sh', input_folder: 'before', input_from: wrote.body.job_id };
    const read = await submitTool(first, { ...fields }, zip);
    const third = await submitTool(first, { init_file: 'main.sh', after: [read.id] }, zip);
    // The service dies while the jobs wait, and before the first has ended.
    await end(first.child, 'SIGKILL');
    const second = await home.start({ SYSTEMS: 'machine' });
    const again = new Researcher({ ...second, user: '306328' });
    const ended = await again.waitForEnd(read.path, deadlineSeconds);
    expect(ended).toMatchObject({ stage: 'COMPLETED', failed: false });
    expect(String(await again.fetchFile(read.path, 'stdout'))).toBe('42 mine\n');
    // It only waits, and gets its own zip alone.
    await again.waitForEnd(third.path, deadlineSeconds);
    expect(String(await again.fetchFile(third.path, 'stdout'))).toBe(' mine\n');
    await end(second.child, 'SIGTERM');
  });

  it('hands on what a sweep of forty wrote, a folder for each job', async () => {
    const home = openHome();
    const edition = await home.start({ SYSTEMS: 'machine' });
    const ada = new Researcher({ ...edition, user: '306328' });
    const wishes = { runtime: 0.01 };
    const write = 'mkdir out; echo "$SLIPWAY_INDEX" > out/answer.txt';
    const sweep = await ada.submitBatch(write, { count: '40' }, wishes);
    const zip = buildZip([{ name: 'main.sh', content: 'cat sweep/*/out/answer.txt | xargs' }]);
    const fields = { input_from: sweep.body.batch_id, input_folder: 'sweep' };
    const read = await submitTool(edition, { init_file: 'main.sh', ...fields }, zip);
    const ended = await ada.waitForEnd(read.path, 2 * deadlineSeconds);
    expect(ended).toMatchObject({ stage: 'COMPLETED', failed: false });
    const answers = Array.from({ length: 40 }, (_, index) => index).join(' ');
    expect(String(await ada.fetchFile(read.path, 'stdout')).trim()).toBe(answers);
    await end(edition.child, 'SIGTERM');
  });

  async function submitTool({ url, token }: Edition, fields: object, body: Buffer<ArrayBuffer>) {
    const shared = { tool: 'SHELL', node_number: '1', core_number: '1', runtime: '0.01' };
    const response = await fetch(`${url}/jobs/hpc_two/`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/zip',
        'content-disposition': 'attachment; filename=job_file.zip',
        payload: JSON.stringify({ ...shared, ...fields }),
      },
      body,
    });
    expect(response.status).toBe(201);
    const { job_id: id }: { job_id: string } = JSON.parse(await response.text());
    return { path: new URL(response.headers.get('location') ?? '').pathname, id };
  }
});
