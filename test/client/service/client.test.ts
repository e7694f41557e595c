import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pause } from '#client/src/calls/insist.ts';
import type { Service } from '#local/start-service.ts';
import { createClient, problems, type SlipwayOnNode } from '../../../client/src/node/index.ts';
import { preparePage, readClientExamples, runExamples } from '../fixtures/pages.ts';
import { type RunningService, startRunningService } from '../fixtures/running-service.ts';

const user = '306328';
const hpc = 'hpc_one';
const project_name = 'proj_hpc_one_01';
const title = 'Нейроны 神经元 🧠 naïve';

let running: RunningService;
let directory: string;
let client: SlipwayOnNode;
let administrator: SlipwayOnNode;

beforeAll(async () => {
  running = await startRunningService(0.5);
  directory = running.directory;
  client = connect({ user });
  administrator = connect({ user: '100001', administrator: true });
});

afterAll(() => running.close());

/** Simulated jobs are short, and are looked at as often. */
function connect(who: Parameters<Service['issuer']['issueToken']>[0]): SlipwayOnNode {
  return createClient({
    baseUrl: running.service.url,
    token: () => running.service.issuer.issueToken(who),
    pause: (ms, signal) => pause(Math.min(ms, 50), signal),
  });
}

const wishes = { hpc, command: 'python3 main.py', nodes: 1, cores: 2, runtime: 0.1 };

describe('the client and the whole service', () => {
  it('submit a large folder, wait for its job and save its files', async () => {
    const folder = join(directory, 'study');
    mkdirSync(join(folder, '数据'), { recursive: true });
    writeFileSync(join(folder, 'main.py'), 'print("hello")\n');
    writeFileSync(join(folder, '数据/noise.bin'), randomBytes(5_000_000));
    const told: number[] = [];
    const submission = { ...wishes, title, folder, filename: "it's (mine) 神.zip" };
    const submitted = await client.submit({ ...submission, onProgress: (sent) => told.push(sent) });
    expect(submitted).toMatchObject({ title, stage: 'QUEUED', owner: user });
    expect(told.length).toBeGreaterThan(10);
    const seen: string[] = [];
    const ended = await client.waitFor(submitted, { onChange: ({ stage }) => seen.push(stage) });
    expect(ended).toMatchObject({ stage: 'SUCCESSFUL', title });
    expect(seen.at(-1)).toBe('SUCCESSFUL');
    const saved = await client.saveFiles(ended, join(directory, 'results'));
    expect(saved.map(({ filename }) => filename)).toEqual(['listing.txt', 'stderr', 'stdout']);
    const listing = readFileSync(join(directory, 'results/listing.txt'), 'utf8');
    expect(listing).toContain('main.py');
    expect(listing).toContain('数据/noise.bin');
    const place = { hpc, project_name, job_id: ended.job_id };
    const stdout = await client.readFile({ ...place, file_id: 'stdout' });
    expect(await stdout.text()).toBe(readFileSync(join(directory, 'results/stdout'), 'utf8'));
    // A job is in reports a moment after its end.
    await expect
      .poll(() => client.readUsageAsCsv({ by: 'system' }))
      .toMatch(/^project_hpc,.*\r\nHPC_ONE,/);
  });

  it('estimate a job without submitting it', async () => {
    const newcomer = connect({ user: '306329' });
    const input = new Response(readFileSync('docs/examples/job_file.zip')).body ?? undefined;
    const estimate = await newcomer.estimate({ ...wishes, nodes: 2, ...(input && { input }) });
    expect(estimate).toMatchObject({ accepted: true, held: { time: 720, space: 1 } });
    expect(await newcomer.listJobs()).toEqual([]);
    const tooMuch = newcomer.estimate({ ...wishes, nodes: 513 });
    await expect(tooMuch).rejects.toBeInstanceOf(problems['invalid-request']);
  });

  it('submit a zip from disk, and create one job per key', async () => {
    const once = { ...wishes, zip: 'docs/examples/job_file.zip', idempotencyKey: 'the-one' };
    const first = await client.submit(once);
    expect((await client.submit(once)).job_id).toBe(first.job_id);
    const { terminal_stage: ended } = await client.deleteJob({
      hpc,
      project_name,
      job_id: first.job_id,
    });
    expect(ended).toBe(true);
  });

  it('grant many quotas row by row, and list what an administrator did', async () => {
    const rows = [
      { user_id: '306330', hpc, project_name, add: { time: 3600 } },
      { user_id: '306331', hpc, project_name: 'no_such_project', set: { time: 1 } },
    ];
    const reason = '春のコース';
    const options = { idempotencyKey: 'spring' };
    const [first, second] = await administrator.grantQuotas({ rows, reason }, options);
    expect(first).toMatchObject({ outcome: 'granted', user: '306330' });
    if (second?.outcome !== 'refused') throw new Error('The second row was not refused.');
    expect(second.problem.detail).toContain('no_such_project');
    const [again] = await administrator.grantQuotas({ rows, reason }, options);
    expect(again?.outcome).toBe('unchanged');
    const [act] = await administrator.readAudit({ user: '306330' });
    expect(act).toMatchObject({ kind: 'quota-granted', reason });
    const place = { user_id: '306330', hpc, project_name };
    const kinds: string[] = [];
    for await (const line of administrator.readLedgerOfUser({ ...place, limit: 1 })) {
      kinds.push(line.kind);
    }
    expect(kinds).toEqual(['grant', 'grant']);
  });

  it('refuse users who may not do it', async () => {
    await expect(client.readAudit()).rejects.toBeInstanceOf(problems['not-administrator']);
    const nobody = createClient({ baseUrl: running.service.url, token: 'none' });
    await expect(nobody.listJobs()).rejects.toMatchObject({ status: 401 });
    expect((await nobody.readStatus()).status).toBe('up');
  });
});

describe('docs/client.md and docs/client-in-production.md', () => {
  it('print what they say', async () => {
    const sources = new URL('../../../client/src', import.meta.url).href;
    const examples = readClientExamples().map(({ code, printed }) => ({
      printed,
      code: code
        .replaceAll("'slipway-hpc/node'", `'${sources}/node/index.ts'`)
        .replaceAll("'slipway-hpc'", `'${sources}/index.ts'`),
    }));
    const printed = await runExamples(examples, {
      command: [process.execPath, '--input-type=module-typescript', '--eval'],
      print: (line) => `console.log('${line}');`,
      ...preparePage(running, '306340'),
    });
    expect(printed).toEqual(examples.map((example) => example.printed));
    expect(printed.length).toBeGreaterThan(10);
  });
});
