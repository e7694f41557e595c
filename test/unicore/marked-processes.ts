import { readdir, readFile } from 'node:fs/promises';
import { pollUntil } from '#test/slurm/poll-until.ts';

/** Ends what carries our mark in its environment: jobs outlive the server that started them. */
export async function endMarked(name: string, value: string): Promise<void> {
  const mark = `${name}=${value}`;
  await pollUntil('all jobs have ended', 15, async () => {
    const found = await findMarked(mark);
    for (const pid of found) kill(pid);
    return found.length === 0 || undefined;
  });
}

async function findMarked(mark: string): Promise<number[]> {
  // Elsewhere than on Linux nothing is found.
  const names = await readdir('/proc').catch(() => []);
  const pids = names.filter((name) => /^\d+$/.test(name)).map(Number);
  const marked = await Promise.all(
    pids.map(async (pid) => {
      const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
      return environment.split('\0').includes(mark) ? [pid] : [];
    }),
  );
  return marked.flat();
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}
