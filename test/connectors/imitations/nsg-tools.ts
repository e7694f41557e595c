import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NsgRunner, NsgServerJob } from '#test/upstreams/nsg-server.ts';
import { type MarkedRun, startMarked } from './marked-run.ts';

interface Running {
  readonly job: NsgServerJob;
  readonly directory: string;
  run: MarkedRun | undefined;
}

/** The files that NSG's tools print to. */
export const streamFiles = { stdout: 'STDOUT', stderr: 'STDERR' } as const;

const launchMs = 60;

/** Unpacks as unzip does, with programs that can be executed. */
const unpack = `
import os, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as archive:
    for entry in archive.infolist():
        path = archive.extract(entry, sys.argv[2])
        if entry.external_attr >> 16 & 0o100 and os.path.isfile(path):
            os.chmod(path, 0o700)
`;
const path = '/usr/local/bin:/usr/bin:/bin';

/** A gateway whose one tool is a shell: it runs the script that the form names, beside its zip. */
export class NsgTools implements NsgRunner {
  /** While it is true, jobs stay in the queue. */
  isHolding = false;
  readonly #directory: string;
  readonly #jobs = new Map<string, Running>();

  constructor(directory: string) {
    this.#directory = directory;
    mkdirSync(directory);
  }

  take(job: NsgServerJob, input: Uint8Array): void {
    const directory = join(this.#directory, job.handle);
    mkdirSync(directory);
    writeFileSync(`${directory}.zip`, input);
    const running: Running = { job, directory, run: undefined };
    this.#jobs.set(job.handle, running);
    this.#launchSoon(running);
  }

  drop({ handle }: NsgServerJob): void {
    const running = this.#jobs.get(handle);
    if (!running) return;
    this.#jobs.delete(handle);
    running.run?.signalAll('SIGKILL');
    for (const place of [running.directory, `${running.directory}.zip`]) {
      rmSync(place, { recursive: true, force: true });
    }
  }

  release(): void {
    this.isHolding = false;
    for (const running of this.#jobs.values()) this.#launchSoon(running);
  }

  listPids({ handle }: NsgServerJob): number[] {
    return this.#jobs.get(handle)?.run?.listPids() ?? [];
  }

  listFiles(): string[] {
    return readdirSync(this.#directory);
  }

  close(): void {
    for (const { job } of [...this.#jobs.values()]) this.drop(job);
  }

  #launchSoon(running: Running): void {
    setTimeout(() => {
      const isGone = !this.#jobs.has(running.job.handle);
      if (!isGone && !running.run && !this.isHolding && !running.job.terminal) launch(running);
    }, launchMs);
  }
}

function launch(running: Running): void {
  const { job, directory } = running;
  execFileSync('/usr/bin/python3', ['-I', '-c', unpack, `${directory}.zip`, directory]);
  say(job, 'SUBMITTED', 'The job was submitted to the cluster.');
  Object.defineProperty(job, 'workingDirectory', { get: () => readFiles(directory) });
  const { stdout, stderr } = streamFiles;
  const script = job.form['vparam.filename_'] ?? '';
  running.run = startMarked({
    argv: ['/bin/bash', '-c', `exec bash -- "$0" >${stdout} 2>${stderr}`, script],
    directory,
    environment: { PATH: path },
  });
  void running.run.ended.then(({ code }) => finish(running, code));
}

function finish({ job, directory }: Running, code: number): void {
  // Erased meanwhile.
  const files = readFiles(directory);
  if (files.size === 0) return;
  say(job, 'LOAD_RESULTS', 'Results are being loaded.');
  files.set('done.txt', `retval=${code}\n`);
  let document = 1;
  for (const [name, text] of files) {
    job.output.set(document, { name, text });
    document += 1;
  }
  say(job, 'COMPLETED', 'The job has ended.');
  job.terminal = true;
}

function say(job: NsgServerJob, stage: string, text: string): void {
  job.stage = stage;
  job.messages.push({ timestamp: new Date().toISOString(), stage, text });
}

/** NSG shows no folders. */
function readFiles(directory: string): Map<string, string | Uint8Array> {
  try {
    const entries = readdirSync(directory, { withFileTypes: true });
    const files = entries.filter((entry) => entry.isFile());
    return new Map(files.map(({ name }) => [name, readFileSync(join(directory, name))]));
  } catch {
    return new Map();
  }
}
