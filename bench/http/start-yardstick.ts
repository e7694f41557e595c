import { join } from 'node:path';
import { findFreePort } from '#test/engines/find-free-port.ts';
import { pollUntil } from '#test/slurm/poll-until.ts';
import { startChild } from '../measure/start-child.ts';
import { answers } from '../measure/start-laptop-edition.ts';
import type { Target } from './target.ts';

/** A bare server in a process of its own: how fast this machine is, apart from Slipway. */
export async function startYardstick(
  folder: string,
): Promise<{ target: Target; stop(): Promise<void> }> {
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const child = startChild({
    command: [process.execPath, join(import.meta.dirname, 'yardstick-server.ts'), String(port)],
    folder,
    logFile: join(folder, 'yardstick.log'),
  });
  await pollUntil('the yardstick answers', 30, async () => (await answers(url)) || undefined);
  const requests = [{ method: 'GET', path: '/', headers: {} } as const];
  return { target: { name: 'yardstick', url, requests }, stop: child.stop };
}
