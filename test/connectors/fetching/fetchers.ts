import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Fetching } from '#lib/catalog/input-addresses.ts';
import { buildScript } from '#lib/hpc/script/build-script.ts';

interface Wanted extends Fetching {
  /** How long it may take. */
  readonly seconds: number;
}

export interface Fetched {
  /** What the job says of a failure. */
  readonly failure: string | undefined;
  read(file: string): Buffer;
  /** The files of the job but its output, if the command ran. */
  list(): string[];
}

export async function fetchByScript({ seconds, ...fetching }: Wanted): Promise<Fetched> {
  const directory = makeDirectory();
  const job = { command: 'cp -r deep kept', keepsResults: true, fetching };
  const script = buildScript(job, { limitSeconds: seconds + 1, reserveSeconds: 1 });
  writeFileSync(join(directory, 'script'), script);
  const code = await new Promise((resolve) => {
    execFile('bash', ['script'], { cwd: directory }, (error) => resolve(error?.code ?? 0));
  });
  const work = join(directory, 'job');
  const said = readFileSync(join(work, 'stderr'), 'utf8');
  return {
    failure: code === 246 ? said : code === 0 ? undefined : `${code}: ${said}`,
    read: (file) => readFileSync(join(work, file.replace('deep', 'kept'))),
    list: () => readdirSync(work).filter((name) => !['stdout', 'stderr'].includes(name)),
  };
}

function makeDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'slipway-fetching-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}
