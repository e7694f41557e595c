import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Removes a folder with everything in it. `rm` never follows a link out of the folder, not even if
 * a process of the job's account changes it meanwhile; Node's own function may.
 */
export async function removeFolder(folder: string): Promise<void> {
  const remove = () => run('rm', ['-rf', '--', folder]);
  try {
    await remove();
  } catch {
    // The job made a folder that not even its owner can read.
    await run('chmod', ['-R', 'u+rwX', '--', folder]);
    await remove();
  }
}
