import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { readEntry } from '#lib/files/results/unpack-entries.ts';
import { writeBootstrap } from '#lib/hpc/aws-batch/bootstrap.ts';
import { type ContainerJob, writeContainerScript } from '#lib/hpc/aws-batch/container-script.ts';
import { openStoredZip, readEntries } from '#lib/zips/stored-zip.ts';
import { buildZip } from '#test/fixtures/build-zip.ts';
import { createMemoryFiles } from '#test/fixtures/memory-files.ts';

/** Debian's own, so that no Python of this machine with more in it is tried. */
const python = '/usr/bin/python3';

interface Sent {
  readonly query: URLSearchParams;
  readonly body: Buffer;
}

/** Statuses with which the service or its storage answers instead, one after the other. */
type Faults = Partial<Record<'script' | 'input' | 'results' | 'storage', number[]>>;

/** Plays the service and its storage for one job, on loopback. */
async function startService(faults: Faults, script: () => string, input?: Uint8Array) {
  const service = {
    isFollowed: false,
    calls: [] as string[],
    runs: [] as string[],
    output: [] as Sent[],
    announced: [] as URLSearchParams[],
    results: undefined as Buffer | undefined,
    headers: {} as Record<string, unknown>,
  };
  const server = createServer(async (request, response) => {
    const { pathname, searchParams: query } = new URL(request.url ?? '', 'http://service');
    const place = pathname.split('/').at(-2) ?? '';
    service.calls.push(place);
    const body = await buffer(request);
    const fault = faults[place as keyof Faults]?.shift();
    if (fault !== undefined) return response.writeHead(fault).end('{"detail":"No."}');
    switch (place) {
      case 'script':
        service.runs.push(`${query.get('run')} ${query.get('task')}`);
        return response.end(script());
      case 'input':
        if (query.has('pass')) return response.writeHead(307, { location: '/a/input/' }).end();
        return response.end(input);
      case 'output':
        if (query.has('stdout')) service.output.push({ query, body });
        return response.end(JSON.stringify({ followed: service.isFollowed }));
      case 'results':
        service.announced.push(query);
        return response
          .writeHead(307, { location: `http://${request.headers.host}/a/storage/?signed=a` })
          .end();
      default:
        service.results = body;
        service.headers = request.headers;
        return response.end();
    }
  });
  // The storage refuses before it has the body, as S3 does.
  server.on('checkContinue', (request, response) => {
    const fault = faults.storage?.shift();
    if (fault !== undefined) {
      response.writeHead(fault, { connection: 'close' }).end();
      return;
    }
    response.writeContinue();
    server.emit('request', request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { service, url };
}

interface Circumstances {
  readonly faults?: Faults;
  readonly input?: Uint8Array;
  readonly firstTask?: number;
  readonly variables?: Record<string, string>;
  /** Changes the script, as if the image were another one. */
  readonly edit?: (script: string) => string;
}

/** Starts a container as AWS Batch would, with the smallest environment. */
async function startContainer(job: Partial<ContainerJob>, circumstances: Circumstances = {}) {
  const { faults = {}, input, firstTask, variables, edit = (same) => same } = circumstances;
  const described: ContainerJob = {
    command: 'true',
    ...(input && { input: '/handover/J/input/?pass=i' }),
    output: '/handover/J/output/?pass=o',
    results: '/handover/J/results/?pass=r',
    limitSeconds: 600,
    reserveSeconds: 60,
    patienceSeconds: 8,
    followSeconds: 0.1,
    ...job,
  };
  const script = () => edit(writeContainerScript(described));
  const { service, url } = await startService(faults, script, input);
  const folder = mkdtempSync(join(tmpdir(), 'slipway-container-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const [, ...options] = writeBootstrap({ address: `${url}/handover/J/script/?pass=s`, firstTask });
  const child = spawn(python, options, {
    cwd: '/',
    env: { TMPDIR: folder, AWS_BATCH_JOB_ID: 'batch-1', ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const log = Promise.all([text(child.stdout), text(child.stderr)]);
  const exit = once(child, 'exit');
  return {
    service,
    child,
    end: async () => {
      const [code] = await exit;
      const [out, err] = await log;
      return { code: code as number | null, log: out + err };
    },
    left: () => readdirSync(folder),
  };
}

async function run(job: Partial<ContainerJob>, circumstances?: Circumstances) {
  const container = await startContainer(job, circumstances);
  const { code, log } = await container.end();
  expect(container.left()).toEqual([]);
  const { service } = container;
  return { code, log, service, files: await unpack(service.results) };
}

async function open(zip: Buffer) {
  const { results } = createMemoryFiles();
  await results.put('zip', zip);
  return openStoredZip(results, 'zip', zip.length);
}

async function unpack(zip: Buffer | undefined): Promise<Record<string, string>> {
  if (!zip) return {};
  const opened = await open(zip);
  const texts: Record<string, string> = {};
  for (const entry of await readEntries(opened)) {
    texts[entry.fileName] = Buffer.from(await readEntry(opened, entry)).toString();
  }
  return texts;
}

describe.skipIf(!existsSync(python))('the script of a container', { timeout: 60_000 }, () => {
  it('fetches its input, runs its command, sends its results and keeps the exit code', async () => {
    const input = buildZip([
      { name: 'run.sh', content: 'echo "ran with $SLIPWAY_INDEX"\n' },
      { name: 'data/a.txt', content: 'a' },
      { name: 'data/b.txt', content: 'b' },
    ]);
    const command =
      '. ./run.sh; echo more >> data/b.txt; echo wrong >&2; ln -s data/a.txt link; exit 3';
    const job = { command, environment: { SLIPWAY_INDEX: '7' } };
    const { code, files, log, service } = await run(job, { input });
    expect(code).toBe(3);
    expect(files).toEqual({
      'data/b.txt': 'bmore\n',
      link: 'data/a.txt',
      stdout: 'ran with 7\n',
      stderr: 'wrong\n',
    });
    expect(log).toContain('ran with 7\n');
    expect(log).toContain('wrong\n');
    expect(service.runs).toEqual(['batch-1 null']);
    expect(service.announced[0]?.get('bytes')).toBe(String(service.results?.length));
    expect(service.headers).toMatchObject({
      'if-none-match': '*',
      'content-length': String(service.results?.length),
    });
  });

  it('tells which task of an array it is', async () => {
    const variables = { AWS_BATCH_JOB_ID: 'batch-1:4', AWS_BATCH_JOB_ARRAY_INDEX: '4' };
    const { code, service } = await run({}, { firstTask: 100, variables });
    expect(code).toBe(0);
    expect(service.runs).toEqual(['batch-1:4 104']);
  });

  it('runs nothing if another run has begun', async () => {
    const { code, service, log } = await run({}, { faults: { script: [409] } });
    expect(code).toBe(246);
    expect(service.calls).toEqual(['script']);
    expect(log).toContain('another run of this job has begun');
  });

  it('ends at once if Slipway knows no such job', async () => {
    expect((await run({}, { faults: { script: [404] } })).code).toBe(247);
    const input = buildZip([{ name: 'a', content: 'a' }]);
    const { code, log } = await run({}, { input, faults: { input: [404] } });
    expect(code).toBe(241);
    expect(log).toContain('refused with HTTP 404');
  });

  it('waits for a service that is away and comes back', async () => {
    const input = buildZip([{ name: 'a', content: 'a' }]);
    const faults = { script: [503], input: [500], results: [502], storage: [503] };
    // Only the pause before the script is fetched again is as long as in production.
    const edit = (script: string) => script.replaceAll('random.uniform(1, 2)', '0.1');
    const { code, files, log } = await run({ command: 'cat a' }, { input, faults, edit });
    expect(code).toBe(0);
    expect(files).toMatchObject({ stdout: 'a' });
    expect(log).toContain('The results could not be sent: HTTP 503.');
  });

  it('says that its results were refused, and fails only a command that did not', async () => {
    expect((await run({}, { faults: { results: [413] } })).code).toBe(244);
    expect((await run({ command: 'exit 9' }, { faults: { results: [404] } })).code).toBe(9);
    expect((await run({}, { faults: { results: [404] } })).code).toBe(243);
    const { code, log } = await run({}, { faults: { storage: [412] } });
    expect(code).toBe(0);
    expect(log).toContain('there already');
  });

  it('refuses an input that is not a zip', async () => {
    const { code } = await run({}, { input: Buffer.from('not a zip') });
    expect(code).toBe(242);
  });

  it('refuses an input that the disk has no room for, before it unpacks any of it', async () => {
    const large = { content: 'a', claimedBytes: 0xff_ff_ff_00 };
    const input = buildZip(Array.from({ length: 2000 }, (_, n) => ({ name: `${n}`, ...large })));
    const { code, log, service } = await run({}, { input });
    expect(code).toBe(242);
    expect(log).toMatch(
      /could not be unpacked: it expands to 8589934080000 bytes, and \d+ are free/,
    );
    expect(service.results).toBeUndefined();
  });

  it('refuses an input that holds more than it announces', async () => {
    const input = buildZip([{ name: 'a', content: 'a'.repeat(1_000_000), claimedBytes: 10 }]);
    const { code, log } = await run({}, { input });
    expect(code).toBe(242);
    expect(log).toContain('The input could not be unpacked');
  });

  it('keeps the permission to execute, in its input and in its results', async () => {
    const content = '#!/bin/sh\necho ran\n';
    const input = buildZip([
      { name: 'tool', content, mode: 0o100755 },
      { name: 'text', content, mode: 0o100644 },
    ]);
    const command = './tool; ./text; echo "exit $?"; echo "#" >> tool; echo "#" >> text';
    const { code, files, service } = await run({ command }, { input });
    expect(code).toBe(0);
    expect(files.stdout).toBe('ran\nexit 126\n');
    const entries = await readEntries(await open(service.results ?? Buffer.of()));
    const modes = entries.map((each) => [each.fileName, each.externalFileAttributes >>> 16]);
    expect(Object.fromEntries(modes)).toMatchObject({ tool: 0o100700, text: 0o100600 });
  });

  it('runs its command by sh in an image without bash', async () => {
    const command = 'echo "$0"; exit 4';
    const bare = await run({ command }, { edit: (script) => script.replaceAll('bash', 'missing') });
    expect(bare.code).toBe(4);
    expect(bare.files.stdout).toMatch(/\/sh\n$/);
    expect((await run({ command })).files.stdout).toMatch(/\/bash\n$/);
  });

  it('keeps the code of a command that does not exist, or is killed', async () => {
    expect((await run({ command: 'no-such-command' })).code).toBe(127);
    expect((await run({ command: 'kill -KILL $$' })).code).toBe(137);
    expect((await run({ command: '-x' })).code).toBe(127);
  });

  it('ends a command at its time limit, and sends what there is', async () => {
    const command = 'trap "echo ended; exit 0" TERM; echo begun; while :; do /bin/sleep 0.1; done';
    const { code, files } = await run({ command, limitSeconds: 3, reserveSeconds: 2 });
    expect(code).toBe(245);
    expect(files).toMatchObject({ stdout: 'begun\nended\n' });
  });

  it('ends its command on TERM, with all its processes, and sends what there is', async () => {
    const command = '(trap "" TERM; while :; do /bin/sleep 0.1; done) & echo begun; wait';
    const { child, service, end } = await startContainer({ command });
    await vi.waitUntil(() => service.calls.includes('output'), 20_000);
    child.kill('SIGTERM');
    expect((await end()).code).toBe(143);
    expect(await unpack(service.results)).toMatchObject({ stdout: 'begun\n' });
    expect(service.output.at(-1)?.query.get('last')).toBe('true');
  });

  it('on a reclaimed host, fails although its command ended well on TERM', async () => {
    const command = 'trap "exit 0" TERM; echo begun; while :; do /bin/sleep 0.1; done';
    const { child, service, end } = await startContainer({ command, repeats: true });
    service.isFollowed = true;
    await vi.waitUntil(() => service.output.some(({ body }) => body.length > 0), 20_000);
    child.kill('SIGTERM');
    expect((await end()).code).toBe(143);
    expect(await unpack(service.results)).toMatchObject({ stdout: 'begun\n' });
  });

  it('without an address for its output, sends results on TERM and no output', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'slipway-container-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const command = `echo begun; touch ${folder}/begun; exec /bin/sleep 60`;
    const { child, service, end } = await startContainer({ command, output: undefined });
    await vi.waitUntil(() => existsSync(join(folder, 'begun')), 20_000);
    child.kill('SIGTERM');
    expect((await end()).code).toBe(143);
    expect(await unpack(service.results)).toMatchObject({ stdout: 'begun\n' });
    expect(service.calls).not.toContain('output');
  });

  it('ends on TERM while it waits for the service', async () => {
    const faults = { script: Array.from({ length: 99 }, () => 503) };
    const { child, service, end } = await startContainer({}, { faults });
    await vi.waitUntil(() => service.calls.length > 0, 20_000);
    child.kill('SIGTERM');
    expect((await end()).code).toBe(143);
  });

  it('sends its output while somebody follows it', async () => {
    const command = 'echo one; echo wrong >&2; until [ -e more ]; do /bin/sleep 0.1; done';
    const { child, service, end } = await startContainer({ command });
    service.isFollowed = true;
    const sent = await vi.waitUntil(() => service.output[0], 20_000);
    expect(sent.query.get('stdout')).toBe('0,4');
    expect(sent.query.get('stderr')).toBe('0,6');
    expect(sent.body.toString()).toBe('one\nwrong\n');
    child.kill('SIGTERM');
    // Killed by the end of the test, it would leave the command running.
    expect((await end()).code).toBe(143);
  });

  it.each([
    { when: 'right before the command ends', command: 'seq -f "line %.0f" 0 299999' },
    { when: 'long before that', command: 'seq -f "line %.0f" 0 299999; sleep 1.5' },
  ])('puts only a part of a long output into the log: written $when', async ({ command }) => {
    const { code, log, files } = await run({ command });
    expect(code).toBe(0);
    expect(log.length).toBeLessThan(1_020_000);
    expect(log).toContain('line 0\n');
    expect(log).toContain('line 299999\n');
    expect(log).toContain('The log holds no more of the output.');
    expect(files.stdout?.length).toBeGreaterThan(3_000_000);
  });

  it('packs strange files, and leaves out what is not a file', async () => {
    const command =
      'mkfifo pipe; touch -d 1970-01-01 old; echo a > "$(printf "\\\\377")"; chmod 0 old';
    const { code, files } = await run({ command }, { variables: { PATH: '/usr/bin:/bin' } });
    expect(code).toBe(0);
    expect(Object.keys(files).toSorted()).toEqual(['old', 'stderr', 'stdout', '\ufffd']);
  });
});

/**
 * Reads a script with the grammar of Python 3.8. Prints the names that it uses without a definition,
 * and those that it imports or defines without a use.
 */
const checkNames = `
import ast, builtins, sys
nodes = list(ast.walk(ast.parse(sys.stdin.read(), feature_version=(3, 8))))
names = [node for node in nodes if isinstance(node, ast.Name)]
used = {node.id for node in names if isinstance(node.ctx, ast.Load)}
imported = {alias.name.split(".")[0] for node in nodes if isinstance(node, ast.Import) for alias in node.names}
defined = {node.name for node in nodes if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
bound = {node.id for node in names if not isinstance(node.ctx, ast.Load)}
bound |= {node.arg for node in nodes if isinstance(node, ast.arg)}
bound |= {node.name for node in nodes if isinstance(node, ast.ExceptHandler)}
missing = used - imported - defined - bound - set(dir(builtins)) - {"address"}
print(sorted(missing), sorted((imported | defined) - used))
`;

describe.skipIf(!existsSync(python))('the Python of a container', () => {
  const job = { command: 'true', results: '/r', limitSeconds: 60, reserveSeconds: 6 };
  const sending = { outputs: [], hosts: [], trusted: [], paidBy: 'site', maxBytes: 1 } as const;
  it.each([
    ['bootstrap', writeBootstrap({ address: 'a' })[3], []],
    // Methods that Python itself calls.
    ['script', writeContainerScript(job), ['__init__', 'redirect_request']],
    [
      'script that sends files',
      writeContainerScript({ ...job, sending }),
      ['__init__', 'redirect_request'],
    ],
  ])('has no undefined and no unused names in its %s', (_, input = '', unused) => {
    const { stdout, stderr } = spawnSync(python, ['-c', checkNames], { input, encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(stdout.replaceAll("'", '"')).toBe(
      `[] [${unused.map((name) => `"${name}"`).join(', ')}]\n`,
    );
  });
});

describe('the command of a container', () => {
  it('is far shorter than AWS Batch allows', () => {
    const command = writeBootstrap({ address: 'a'.repeat(400), firstTask: 9999 });
    expect(command.join(' ').length).toBeLessThan(3000);
    expect(command.at(-1)).toBe('9999');
  });
});
