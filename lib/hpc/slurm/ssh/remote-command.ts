import { quoteForShell } from '../../script/quote-for-shell.ts';
import type { SshReach } from './login-node.ts';

/** A program with its parameters, which are never part of a shell line but quoted. */
export interface RemoteCommand {
  readonly program: string;
  readonly parameters: readonly string[];
  /** What it reads. */
  readonly input?: string | ReadableStream<Uint8Array> | undefined;
  readonly environment?: Readonly<Record<string, string>> | undefined;
  /** The account that runs it; undefined for the service's own. */
  readonly as?: string | undefined;
  readonly seconds: number;
}

const usualPath = '/usr/local/bin:/usr/bin:/bin';

/**
 * Writes the line that the login shell of the user runs, whatever shell that is. The line first
 * prints a mark to both streams, because profiles print, too. The program gets almost no environment,
 * so that its messages are in English and jobs inherit nothing. After its time the system itself ends
 * it, even if the connection is gone.
 */
export function writeLine(
  command: RemoteCommand,
  mark: string,
  { commands: directory, accounts = 'sudo' }: Pick<SshReach, 'commands' | 'accounts'> = {},
): string {
  const { program, parameters, environment = {}, as, seconds } = command;
  const bySudo = as !== undefined && accounts === 'sudo';
  const path = directory === undefined ? usualPath : `${directory}:${usualPath}`;
  const isElsewhere = directory !== undefined && !program.startsWith('/');
  const file = isElsewhere ? `${directory.replace(/\/$/, '')}/${program}` : program;
  const variables = Object.entries({ PATH: path, ...environment });
  const words = [
    ...variables.map(([name, value]) => `${name}=${value}`),
    ...['timeout', '-k', '5', String(seconds)],
    ...(bySudo ? ['sudo', '-n', '-u', as, '--'] : []),
    file,
    ...parameters,
  ];
  const quoted = words.map(quoteForShell).join(' ');
  const script =
    `echo ${mark}; echo ${mark} >&2; ` +
    `exec env -i \${SLURM_CONF:+"SLURM_CONF=$SLURM_CONF"} ${quoted}`;
  return `exec /bin/sh -c ${quoteForShell(script)}`;
}

/** Returns what came after the mark, or undefined if the program was never reached. */
export function readAfterMark(text: string, mark: string): string | undefined {
  const line = `${mark}\n`;
  const at = text.indexOf(line);
  return at < 0 ? undefined : text.slice(at + line.length);
}
