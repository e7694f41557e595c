import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/**
 * Runs a script in a process of its own, with that environment and no other. Its log is read, as
 * Lambda reads that of a function, and thrown away.
 */
export async function runApart(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const child = spawn(process.execPath, args, {
    env: { ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.resume();
  const [errors, [code]] = await Promise.all([text(child.stderr), once(child, 'close')]);
  if (code !== 0) throw new Error(`${args.join(' ')} failed: ${errors.slice(-1000)}`);
}
