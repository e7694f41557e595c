import {
  CredentialsRefusedError,
  JobRefusedError,
  SystemBusyError,
  SystemUnavailableError,
} from '../errors.ts';
import { readText, type SlurmAnswer } from './read-answer.ts';
import type { RemoteEnd } from './ssh/run-remotely.ts';

/** Slurm's words for the error numbers that we judge by (slurm_strerror). Commands print no numbers. */
const numbers: ReadonlyMap<string, number> = new Map([
  ['Invalid partition name specified', 2000],
  ['Access/permission denied', 2002],
  ["User's group not permitted to use this partition", 2003],
  ['Requested nodes not in this partition', 2004],
  ['More processors requested than permitted', 2005],
  ['Node count specification invalid', 2006],
  ['Unable to create job record, try again', 2007],
  ['Job size specification needs to be provided', 2008],
  ['Job script not specified', 2009],
  ['Pathname of a file, directory or other parameter too long', 2012],
  ['Requested node configuration is not available', 2014],
  ['Requested nodes are busy', 2016],
  ['Invalid job id specified', 2017],
  ['Job/step already completing or completed', 2021],
  ['Task count specification invalid', 2025],
  ['Slurm backup controller in standby mode', 2027],
  ['Invalid feature specification', 2029],
  ['Requested operation is presently disabled', 2037],
  ['Memory required by task is not available', 2044],
  ['Invalid account or account/partition combination specified', 2045],
  ["Job violates accounting/QOS policy (job submit limit, user's size and/or time limits)", 2050],
  ['Requested time limit is invalid (missing or exceeds some limit)', 2051],
  ['Invalid qos specification', 2066],
  ['Required node not available (down, drained or reserved)', 2068],
  ['Required partition not available (inactive or drain)', 2070],
  ['Invalid job array specification', 2081],
  ['Partition in DOWN state', 2101],
  ['System submissions disabled', 2105],
  ['Job can not start due to maintenance reservation.', 2118],
  ['Controller is in standby mode, try a different controller', 2131],
  ['Resource temporarily unavailable', 11],
]);

/** Reads what a command printed as JSON. */
export function readJson(end: RemoteEnd, program: string): SlurmAnswer {
  const answer = readText(end.code === 0 ? 200 : 500, end.output);
  return end.code === 0 && answer.content !== undefined ? answer : readFailure(end, program);
}

/** Reads what Slurm says when a command fails. Throws what is not Slurm's own. */
export function readFailure({ code, errors, output }: RemoteEnd, program: string): SlurmAnswer {
  const lines = errors.split('\n').map((line) => line.trim());
  const said = lines.find((line) => /^sudo: /.test(line)) ?? lines.find((line) => line !== '');
  throwIfMissing(errors, program, code);
  if (errors.includes("unrecognized option '--json'")) {
    throw new SystemUnavailableError(
      `${program} writes no JSON. Slurm 21.08 is the oldest that does.`,
    );
  }
  throwIfNotAllowed(errors, program);
  const words = lines
    .map((line) =>
      line.replace(/^\w+: (error|fatal): /, '').replace(/^[\w ]+ (failed|error): /, ''),
    )
    .filter((line) => line !== '');
  const known = words.flatMap((text) => {
    const number = numbers.get(text);
    return number === undefined ? [] : [{ code: number, text }];
  });
  const other = [{ code: 0, text: said ?? (output.trim().slice(0, 200) || `exit code ${code}`) }];
  return { status: 500, content: undefined, errors: known.length > 0 ? known : other };
}

const notFound = 127;

/** The login node does not know the account, or does not know it now because its directory is away. */
export class UnknownAccountError extends SystemUnavailableError {}

/** Nothing was done, so that a job waits until an administrator has helped. */
function throwIfMissing(errors: string, program: string, code: number | undefined): void {
  if (code !== notFound && !/^sudo: .*command not found/m.test(errors)) return;
  const missing = /'(sudo|env|timeout)'/.exec(errors)?.[1] ?? program;
  throw new SystemBusyError(
    `${missing} is not on the login node. If it has a directory of its own, name it in commands.`,
    undefined,
    { said: `The login node has no ${missing}.` },
  );
}

function throwIfNotAllowed(errors: string, program: string): void {
  const unknown = /^sudo: unknown user:? (\S+)/m.exec(errors);
  if (unknown && program !== 'sbatch') {
    throw new UnknownAccountError(`${program}: sudo does not know the user ${unknown[1]}.`);
  }
  if (unknown) {
    throw new JobRefusedError(
      `The HPC system does not know the account '${unknown[1]}'. ` +
        'Ask an administrator to correct it, and submit the job again.',
    );
  }
  if (/^sudo: |is not allowed to execute|is not in the sudoers file/m.test(errors)) {
    const [first = ''] = errors.split('\n').filter((line) => line.trim() !== '');
    throw new CredentialsRefusedError(`sudo does not let us run ${program}: ${first.trim()}`);
  }
  if (errors.includes('No space left on device')) {
    throw new SystemBusyError(`${program}: no space left on the login node.`, undefined, {
      said: 'The disk of the login node is full.',
    });
  }
}
