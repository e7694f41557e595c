import { setTimeout as pause } from 'node:timers/promises';
import { Command } from '@commander-js/extra-typings';
import { writeShortId } from '../../../format/write-short-id.ts';
import type { Job, JobFile, Slipway } from '../../../index.ts';
import { placeOf } from '../../../index.ts';
import { CannotDo, outcome } from '../../outcome/outcome.ts';
import type { Open } from '../../session/open.ts';
import type { Session } from '../../session/session.ts';
import { writeExamples } from '../../session/write-examples.ts';
import { findJob } from '../find/find-job.ts';

const firstPauseMs = 1_000;
const longestPauseMs = 10_000;

export function createLogs(open: Open) {
  return new Command('logs')
    .description('show what a job has written to its standard output')
    .argument('[job]', 'its id, or the beginning of it (default: the newest job)')
    .option('-f, --follow', 'go on until the job has ended')
    .option('-e, --errors', 'its standard error instead')
    .option('--file <name>', 'another of its files')
    .addHelpText('after', writeExamples('slipway logs -f AF17', 'slipway logs --file result.txt'))
    .action(async (wanted, { follow, errors, file }, command) => {
      const session = open(command);
      const client = session.connect();
      const job = await findJob(client, wanted);
      const name = file ?? (errors ? 'stderr' : 'stdout');
      if (follow) return followFile(session, client, job, name);
      const found = await findFile(client, job, name);
      if (!found) throw noFile(job, name);
      session.screen.raw(await readText(client, job, found));
    });
}

/** What has come since the last look; ever more rarely while nothing does. */
async function followFile(
  { screen, interrupt }: Session,
  client: Slipway,
  first: Job,
  name: string,
): Promise<void> {
  let shown = 0;
  let ms = firstPauseMs;
  for (let job = first; ; ) {
    // Asked for first: what a job writes before its end is there once the end is known.
    job = await client.getJob(placeOf(job));
    const file = await findFile(client, job, name);
    const text = file && file.length > shown ? await readBytes(client, job, file) : undefined;
    if (text) screen.raw(new TextDecoder().decode(text.subarray(shown)));
    ms = text ? firstPauseMs : Math.min(longestPauseMs, ms * 1.5);
    shown = text?.length ?? shown;
    if (job.terminal_stage) {
      if (shown === 0 && !file) throw noFile(job, name);
      return;
    }
    await pause(ms, undefined, { signal: interrupt }).catch((error: unknown) => {
      const id = writeShortId(job.job_id);
      screen.tell('', `${id} goes on. Follow it again: slipway logs -f ${id}`);
      throw error;
    });
  }
}

/** Systems name it in their own way: `stdout`, `slurm-12.out`. */
async function findFile(client: Slipway, job: Job, name: string): Promise<JobFile | undefined> {
  const files = await client.listFiles(placeOf(job));
  const ending = name === 'stdout' ? '.out' : '.err';
  return (
    files.find(({ filename }) => filename === name) ??
    (name === 'stdout' || name === 'stderr'
      ? files.find(({ filename }) => filename.endsWith(ending))
      : undefined)
  );
}

async function readText(client: Slipway, job: Job, file: JobFile): Promise<string> {
  return new TextDecoder().decode(await readBytes(client, job, file));
}

async function readBytes(client: Slipway, job: Job, { fileid }: JobFile): Promise<Uint8Array> {
  const answer = await client.readFile({ ...placeOf(job), file_id: fileid });
  return new Uint8Array(await answer.arrayBuffer());
}

function noFile(job: Job, name: string): CannotDo {
  const id = writeShortId(job.job_id);
  return new CannotDo(
    job.terminal_stage ? `The job has no '${name}'.` : `The job has written no '${name}' yet.`,
    {
      outcome: outcome.refused,
      next: job.terminal_stage
        ? `List its files: slipway files ${id}`
        : `Follow it: slipway logs -f ${id}`,
    },
  );
}
