import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { parse } from 'node:path';
import { CannotDo } from '../../outcome/outcome.ts';

/**
 * The folder that is open to the assistant, with no link in its path. Programs with windows start
 * their servers at home or at the root of the disk: nobody meant all of that.
 */
export function openFolder(wanted: string | undefined, here = process.cwd()): string | undefined {
  if (wanted === undefined) {
    return here === parse(here).root || here === homedir() ? undefined : realpathSync(here);
  }
  try {
    return realpathSync(wanted);
  } catch {
    throw new CannotDo(`There is no folder '${wanted}'.`, {
      next: 'Name one that exists: slipway mcp --folder FOLDER',
    });
  }
}
