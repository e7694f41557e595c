import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import type { InputListing } from './list-input.ts';
import { type Course, type SimulatedJob, toldToFail } from './simulated-job.ts';

/** The order of a simulated job. It is not needed to say how the job is doing. */
export interface SimulatedOrder {
  readonly program: string;
  readonly nodes: number;
  readonly coresPerNode: number;
  readonly input: 'none' | 'unreadable' | InputListing;
  /** The account that the job would run as, if it is not the service's. */
  readonly login?: string | undefined;
  readonly environment?: Readonly<Record<string, string>> | undefined;
}

export interface OutputFile {
  /** Also the id, because names are unique. */
  readonly name: string;
  readonly text: string;
}

/** Writes the files of a job: two once it runs, a third when it has ended. */
export function writeOutput(
  system: HpcSystem,
  job: SimulatedJob & SimulatedOrder,
  course: Course,
  now: Date,
): OutputFile[] {
  if (now < course.runsFrom) return [];
  const ended = now >= course.endsAt;
  return [
    { name: 'stdout', text: writeStdout(system, job, course, ended) },
    { name: 'stderr', text: ended && course.failed ? `${toldToFail}\n` : '' },
    ...(ended ? [{ name: 'listing.txt', text: writeListing(job.input) }] : []),
  ];
}

function writeStdout(
  { name, program }: HpcSystem,
  job: SimulatedJob & SimulatedOrder,
  { runsFrom, endsAt, usedSeconds, failed }: Course,
  ended: boolean,
): string {
  const lines = [
    `This is the simulator of ${name}. It only keeps time: nothing was run.`,
    ...(job.login === undefined ? [] : [`account: ${job.login}`]),
    `${program.field}: ${job.program}`,
    `title: ${job.title}`,
    `nodes: ${job.nodes}`,
    `cores per node: ${job.coresPerNode}`,
    `hours granted: ${job.hours}`,
    ...Object.entries(job.environment ?? {}).map(([variable, value]) => `${variable}=${value}`),
    `started: ${runsFrom.toISOString()}`,
  ];
  const closing = [
    `ended: ${endsAt.toISOString()}`,
    `seconds used: ${Math.round(usedSeconds)}`,
    `exit code: ${failed ? 1 : 0}`,
  ];
  return `${[...lines, ...(ended ? closing : [])].join('\n')}\n`;
}

/** Removes line breaks from names, because each file has one line. */
function writeListing(input: SimulatedOrder['input']): string {
  if (input === 'none') return 'no input\n';
  if (input === 'unreadable') return 'The input is not a readable zip.\n';
  const lines = input.files.map(
    ({ name, bytes }) => `${bytes}\t${name.replaceAll(/\p{Cc}/gu, '?')}`,
  );
  const rest = input.more > 0 ? [`and ${input.more} more`] : [];
  return [...lines, ...rest].map((line) => `${line}\n`).join('');
}
