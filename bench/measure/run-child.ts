import { type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';

/** Runs a program to its end, and tells its exit code. It ends with this process, however that ends. */
export async function runChild(
  program: string,
  parameters: readonly string[],
  options: SpawnOptions = {},
): Promise<number> {
  const child = spawn(program, parameters, { stdio: 'inherit', ...options });
  // Not by force: it has things of its own to take away.
  const endWithUs = () => child.kill('SIGTERM');
  process.prependOnceListener('exit', endWithUs);
  const [code] = await once(child, 'exit');
  process.off('exit', endWithUs);
  return typeof code === 'number' ? code : 1;
}
