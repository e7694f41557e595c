import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPasses, type PassPurpose } from '#lib/jobs/passes/passes.ts';
import { createMailPasses } from '#lib/mail/mail-passes.ts';
import { buildZip } from '../fixtures/build-zip.ts';
import { jobId, projectName, systemName, userId } from '../fixtures/names.ts';
import { tokenAttacks } from '../fixtures/token-attacks.ts';
import { Learned } from './learned.ts';
import type { WrittenRequest } from './requests.ts';
import { type GivenAnswer, hangUp, type SentRequest, send } from './send.ts';

const users = {
  ada: '700001',
  bob: '700002',
  leader: '700003',
  banned: '700004',
  poor: '700005',
  administrator: '700100',
} as const;

/** Users that administrators' requests are about. The others stay as they are, so that jobs run. */
const targets = ['700002', '700201', '700202', '700203', '700999'];

const newcomers = 40;

export interface World {
  readonly learned: Learned;
  /** Fills in names of earlier answers and the token of the caller. */
  prepare(request: WrittenRequest, draw: number): SentRequest;
  plainUserOf(request: SentRequest): string | undefined;
  isOfApi(request: SentRequest): boolean;
  /** Remembers what an answer names. */
  learn(request: SentRequest, answer: GivenAnswer): void;
  /** Gives the users back what the run has spent. */
  tend(): Promise<void>;
  readonly url: string;
  tokenOf(caller: string): string;
  close(): Promise<void>;
}

/** Starts the laptop edition in this process, with users in every state and something of each kind. */
export async function openWorld({ runsJobs }: { runsJobs: boolean }): Promise<World> {
  const stateDirectory = mkdtempSync(join(tmpdir(), 'slipway-fuzz-'));
  const { startService } = await import('#local/start-service.ts');
  const service = await startService({
    port: 0,
    dataDirectory: 'memory',
    stateDirectory,
    runsJobs,
  });
  const { issuer, url } = service;
  const learned = new Learned();
  const forgeries = tokenAttacks(issuer).map(({ makeToken }) => makeToken());
  const bearer = (user: string, administrator = false) =>
    `Bearer ${issuer.issueToken({ user: userId(user), administrator })}`;
  const tokens: Readonly<Record<string, string>> = Object.fromEntries(
    Object.entries(users).map(([name, user]) => [name, bearer(user, name === 'administrator')]),
  );
  const newTokens = Array.from({ length: newcomers }, (_, index) =>
    bearer(String(710_000 + index)),
  );
  const authorize = (caller: string, draw: number): string | undefined => {
    if (caller === 'forger') return `Bearer ${forgeries[draw % forgeries.length]}`;
    if (caller === 'newcomer') return newTokens[draw % newcomers];
    return tokens[caller];
  };

  async function ask(
    caller: string,
    method: string,
    path: string,
    more: Partial<SentRequest> = {},
  ) {
    const headers = [['authorization', tokens[caller] ?? ''] as const, ...(more.headers ?? [])];
    const request = { from: 'the world', caller, method, url: `${url}${path}`, ...more, headers };
    const answer = await send(request, 'the world');
    learn(request, answer);
    return answer;
  }
  const json = (body: object): Partial<SentRequest> => ({
    headers: [['content-type', 'application/json']],
    body: Buffer.from(JSON.stringify(body)),
  });

  const isOfApi = (request: SentRequest) => request.url.startsWith(`${url}/`);

  function learn(request: SentRequest, { status, headers, text }: GivenAnswer): void {
    const isJson = headers['content-type']?.startsWith('application/json') ?? false;
    const isPlain = headers['content-encoding'] === undefined;
    if (!isOfApi(request) || status >= 400 || !isJson || !isPlain) return;
    const body = JSON.parse(text === '' ? 'null' : text);
    learned.read(request.caller, body, [headers.link].flat()[0]);
    for (const each of [body].flat().slice(0, 5)) addPasses(Object(each));
    const webhook = /\/webhooks\/([^/]+)\//.exec(request.url)?.[1] ?? '';
    for (const { delivery_id: id } of [body].flat().map(Object)) {
      if (typeof id === 'string') learned.add('delivery', { id, webhook });
    }
  }

  const purposes: readonly PassPurpose[] = ['script', 'input', 'output', 'results', 'array'];
  const endsAt = new Date(Date.now() + 24 * 3_600_000);
  function addPasses(found: Readonly<Record<string, unknown>>): void {
    const { job_id: id, owner, project_hpc: hpc, project_name: project } = found;
    if (typeof id !== 'string' || typeof owner !== 'string') return;
    const passes = createPasses(issuer.passSecret);
    const account = {
      user: userId(owner),
      hpc: systemName(String(hpc).toLowerCase()),
      project: projectName(String(project)),
    };
    for (const purpose of purposes) {
      const text = passes.write({ purpose, account, jobId: jobId(id), endsAt });
      learned.add(`pass_${purpose}`, { id: text, job: id });
    }
  }

  async function tend(): Promise<void> {
    const set = { time: 10_000_000, space: 10_000_000 };
    for (const [hpc, project] of places) {
      for (const user of [users.ada, users.bob, users.leader, users.banned]) {
        const grant = { reason: 'tended', set, valid_until: null };
        await ask('administrator', 'PUT', `/admin/quotas/${user}/${hpc}/${project}/`, json(grant));
      }
    }
    await submit('/jobs/hpc_one/', { command: 'ls' });
    await submit('/jobs/hpc_two/', { tool: 'NEURON74_TG' });
    // It runs for minutes, so that its passes are good for a while.
    await submit('/jobs/hpc_one/', { command: 'ls', runtime: 4, title: 'sim:full' });
    // Its jobs can be repeated once they have failed.
    await submit('/batches/hpc_one/', { command: 'ls', count: 2, title: 'sim:fail' });
  }

  const submit = (path: string, fields: object) => {
    const usual = { node_number: 1, core_number: 1, runtime: 0.01, title: 'a job' };
    return ask('ada', 'POST', path, {
      headers: [
        ['payload', JSON.stringify({ ...usual, ...fields })],
        ['content-disposition', 'attachment; filename=job.zip'],
        ['content-type', 'application/zip'],
      ],
      body: buildZip([{ name: 'run.sh', content: 'echo' }]),
    });
  };

  const places = [
    ['hpc_one', 'proj_hpc_one_01'],
    ['hpc_two', 'proj_hpc_two_01'],
    ['hpc_three', 'proj_hpc_three_01'],
  ] as const;
  for (const id of targets) learned.add('target', { id });
  for (const caller of Object.keys(users)) await ask(caller, 'GET', '/quotas/');
  for (const name of ['fuzz_a', 'fuzz_b']) {
    const opened = { reason: 'a course', shared: name === 'fuzz_b' };
    await ask('administrator', 'PUT', `/admin/projects/hpc_two/${name}/`, json(opened));
  }
  const leaders = { reason: 'a course', leaders: [users.leader] };
  await ask(
    'administrator',
    'PUT',
    '/admin/projects/hpc_one/proj_hpc_one_01/leaders/',
    json(leaders),
  );
  const budget = { reason: 'a course', set: { time: 1_000_000, space: 1_000_000 } };
  await ask('administrator', 'PUT', '/admin/projects/hpc_two/fuzz_b/budget/', json(budget));
  const account = { account: 'ada', reason: 'her account there' };
  const mapped = `/admin/users/${users.ada}/accounts/hpc_three/`;
  await ask('administrator', 'PUT', mapped, json(account));
  await tend();
  const ban = `/admin/users/${users.banned}/ban/`;
  await ask('administrator', 'PUT', ban, json({ reason: 'asked to stop' }));
  const expired = { reason: 'over', set: { time: 0, space: 0 }, valid_until: '2020-01-01' };
  const poorly = `/admin/quotas/${users.poor}/hpc_one/proj_hpc_one_01/`;
  await ask('administrator', 'PUT', poorly, json(expired));
  for (const [hpc, project] of places) {
    const request = { hpc, project_name: project, time: 100, reason: 'a course' };
    await ask('ada', 'POST', '/requests/', json(request));
  }
  const hook = { url: 'https://hooks.example/a' };
  await ask('ada', 'POST', '/webhooks/', json(hook));
  await ask('ada', 'POST', learned.fill('/webhooks/«webhook:0:id»/test/'));
  await ask('ada', 'GET', learned.fill('/webhooks/«webhook:0:id»/deliveries/'));
  await ask('ada', 'POST', '/uploads/', json({ filename: 'a.zip', length: 22 }));
  await ask('ada', 'GET', '/jobs/?limit=1');
  const mailPasses = createMailPasses(issuer.passSecret);
  for (const purpose of ['confirm', 'unsubscribe'] as const) {
    const who = { user: userId(users.ada), email: 'ada@example.org' };
    learned.add(`pass_${purpose}`, { id: mailPasses.write(purpose, who, endsAt) });
  }

  return {
    learned,
    url,
    tokenOf: (caller) => tokens[caller] ?? '',
    prepare(written, draw) {
      const caller = learned.fill(written.caller);
      const token = authorize(caller, draw);
      const path = learned.fill(written.path);
      const text = written.body?.toString();
      return {
        from: written.from,
        caller,
        method: written.method,
        url: path.startsWith('http') ? path : `${url}/${path.replace(/^\//, '')}`,
        headers: [
          ...(token === undefined ? [] : [['authorization', token] as const]),
          ...written.headers.map(([name, value]) => [name, learned.fill(value)] as const),
        ],
        body: text?.includes('«') ? Buffer.from(learned.fill(text)) : written.body,
      };
    },
    plainUserOf: ({ caller }) =>
      caller === 'ada' || caller === 'bob' || caller === 'poor' || caller === 'banned'
        ? users[caller]
        : undefined,
    isOfApi,
    learn,
    tend,
    async close() {
      hangUp();
      await service.close();
      rmSync(stateDirectory, { recursive: true });
    },
  };
}
