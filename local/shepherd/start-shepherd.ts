import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { inScope, scopeEnvironment } from '#lib/hpc/machine/processes/control-group.ts';
import { nameOfGroup } from '#lib/hpc/machine/processes/job-groups.ts';
import { readOrder } from '#lib/hpc/machine/record/read-folder.ts';
import { systemPath } from './system-path.ts';

export interface StartedShepherd {
  readonly pid: number;
  /** Resolves when the shepherd has ended, and the job with it. */
  readonly ended: Promise<void>;
}

const program = fileURLToPath(new URL('./shepherd.ts', import.meta.url));

/**
 * The whole environment of a shepherd. It gets nothing from the service, whose environment may hold
 * secrets. Compiled code is kept, because compiling takes longer than everything else at its start.
 */
const environment = {
  PATH: systemPath,
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../../node_modules/.cache/node', import.meta.url)),
};

/**
 * Starts the program that runs the job of this folder. It has a session of its own and keeps no
 * connection to this process, so it outlives it. A second shepherd of a folder ends at once.
 */
export async function startShepherd(folder: string): Promise<StartedShepherd> {
  const [command = '', ...parameters] = shepherdOf(folder);
  const child = spawn(command, parameters, {
    cwd: '/',
    detached: true,
    env: { ...environment, ...scopeEnvironment() },
    stdio: 'ignore',
  });
  child.unref();
  const ended = once(child, 'exit').then(() => undefined);
  ended.catch(() => undefined);
  await once(child, 'spawn');
  return { pid: child.pid ?? 0, ended };
}

function shepherdOf(folder: string): string[] {
  const command = [process.execPath, program, folder];
  const order = readOrder(folder);
  if (order?.limits.level !== 'systemd') return command;
  return inScope(nameOfGroup(order.jobId), command);
}
