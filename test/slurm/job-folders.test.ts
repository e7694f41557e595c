import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ByteSource, readWhole, streamBytes } from '#lib/byte-streams/byte-stream.ts';
import { RemoteFileNotFoundError, SystemBusyError } from '#lib/hpc/errors.ts';
import { type JobFolder, openJobFolders } from '#lib/hpc/slurm/job-folders.ts';
import { openCommandLine } from '#lib/hpc/slurm/ssh/command-line.ts';
import { allowBySudo, makeUsers, type Sshd, startSshd } from './sshd.ts';

/** The service's own user on the login node, and somebody's. */
const [gateway, alice] = ['slipway-test', 'slipway-alice'];

const megabytes = 3_000_000;
const zip = Buffer.alloc(megabytes, 'not a zip, but as long');

let sshd: Sshd;
let directory: string;
const closing: (() => Promise<void>)[] = [];

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'slipway-folders-'));
  chmodSync(directory, 0o1777);
  closing.push(await makeUsers(gateway, alice), await allowBySudo(gateway, [alice]));
  sshd = await startSshd();
}, 120_000);

afterAll(async () => {
  await sshd?.close();
  for (const close of closing) await close();
  rmSync(directory, { recursive: true, force: true });
});

function send(bytes: Buffer, announced = bytes.length): ByteSource {
  return { open: async () => ({ bytes: announced, stream: streamBytes(bytes) }) };
}

function connect(accounts?: 'sudo' | 'certificate') {
  const { port, hostKeys, key: sshKey, authority: caKey } = sshd;
  const reach = { host: '127.0.0.1', port, user: gateway, hostKeys, accounts };
  const credentials = { read: async () => ({ sshKey, caKey }), forget() {} };
  return openJobFolders(openCommandLine({ reach, credentials }));
}

/** What a job leaves there. */
function writeResults({ path, login = gateway }: JobFolder): void {
  const script = `mkdir -p "$1/job/a folder" && cd "$1/job" && head -c ${megabytes} /dev/zero >stdout
printf hello >'a folder/ä "%41" \\n.txt' && ln -s /etc/passwd link && chown -R "$2" "$1"`;
  execFileSync('sh', ['-c', script, 'sh', path, login]);
}

describe.each([
  { way: "the service's own", accounts: undefined, login: undefined },
  { way: 'an account by sudo', accounts: 'sudo', login: alice },
  { way: 'an account by certificate', accounts: 'certificate', login: alice },
] as const)('the folders of $way', ({ way, accounts, login }) => {
  const at = (name: string) => ({ path: join(directory, `${way} ${name}`), login });

  it('get the same input, which nobody else can read', async () => {
    const folders = ['1', '2', '3'].map(at);
    await connect(accounts).putInput(folders, send(zip));
    for (const { path } of folders) {
      expect(readFileSync(join(path, 'input.zip')).equals(zip)).toBe(true);
      expect(statSync(path).mode & 0o777).toBe(0o700);
      expect(statSync(join(path, 'input.zip')).mode & 0o077).toBe(0);
    }
    // Again, as after an answer that was lost.
    await connect(accounts).putInput(folders, send(zip));
  });

  it('take no input that came in part, and none into the folder of somebody else', async () => {
    const part = at('part');
    await expect(connect(accounts).putInput([part], send(zip, zip.length + 1))).rejects.toThrow(
      SystemBusyError,
    );
    expect(() => statSync(join(part.path, 'input.zip'))).toThrow();
    const others = at('others');
    execFileSync('mkdir', ['-m', '777', others.path]);
    await expect(connect(accounts).putInput([others], send(zip))).rejects.toThrow(/File exists/);
  });

  it('list, find and give what a job left there, and go', async () => {
    const folder = at('results');
    const folders = connect(accounts);
    expect(await folders.list(folder)).toEqual([]);
    writeResults(folder);
    const files = await folders.list(folder);
    expect(new Map(files.map(({ name, bytes }) => [name, bytes]))).toEqual(
      new Map([
        ['stdout', megabytes],
        ['a folder/ä "%41" \\n.txt', 5],
      ]),
    );
    for (const file of files) {
      expect(await folders.find(folder, file.id)).toEqual(file);
      const { bytes, stream } = await folders.open(folder, file.id);
      expect([bytes, (await readWhole(stream, megabytes))?.length]).toEqual([
        file.bytes,
        file.bytes,
      ]);
    }
    await folders.remove(folder);
    expect(() => statSync(folder.path)).toThrow();
    await folders.remove(folder);
  });

  it('give nothing that is not theirs, and let go what nobody reads to its end', async () => {
    const folder = at('secrets');
    const folders = connect(accounts);
    writeResults(folder);
    for (const name of ['missing', '../input.zip', 'a folder', '/etc/passwd', '', 'a//b']) {
      const id = Buffer.from(name).toString('base64url');
      await expect(folders.open(folder, id)).rejects.toThrow(RemoteFileNotFoundError);
      await expect(folders.find(folder, id)).rejects.toThrow(RemoteFileNotFoundError);
    }
    const id = Buffer.from('stdout').toString('base64url');
    // More often than there are channels.
    for (let time = 0; time < 20; time += 1) {
      const { stream } = await folders.open(folder, id);
      await stream.cancel();
    }
    expect(await folders.list(folder)).toHaveLength(2);
  });
});
