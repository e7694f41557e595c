import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { runChild } from '../measure/run-child.ts';

export interface Seed {
  readonly kind: 'ended' | 'living';
  readonly count: number;
}

/**
 * Fills the folder of a laptop edition that is not running, in a process of its own: nothing is
 * told of what is brought in, so that nothing is left to be done about it when it is measured.
 */
export async function seedFolder(folder: string, { kind, count }: Seed): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const program = join(import.meta.dirname, 'fill-table.ts');
  const code = await runChild(process.execPath, [program, folder, kind, String(count)]);
  if (code !== 0) throw new Error(`The ${kind} jobs could not be brought in.`);
}
