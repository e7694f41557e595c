import { realpath, stat } from 'node:fs/promises';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { CannotDo, outcome } from '../../outcome/outcome.ts';

/**
 * A folder below the one that is open to the assistant, wherever links lead. It is an assistant that
 * names it, and perhaps at the wish of a text that somebody else wrote.
 */
export async function findFolder(open: string | undefined, wanted: string): Promise<string> {
  if (open === undefined) {
    throw new CannotDo('No folder is open to you.', {
      outcome: outcome.refused,
      next: 'Give files instead, or tell the user to start the server with --folder.',
    });
  }
  const asked = resolve(open, wanted);
  // What is outside is refused before it is looked at: whether it exists is nobody's business.
  if (!isWithin(open, asked)) throw leadsOut(open, wanted);
  const found = await realpath(asked).catch(() => undefined);
  if (found === undefined) throw new CannotDo(`There is no folder '${wanted}' in ${open}.`);
  if (!isWithin(open, found)) throw leadsOut(open, wanted);
  if (!(await stat(found)).isDirectory()) throw new CannotDo(`'${wanted}' is no folder.`);
  return found;
}

function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function leadsOut(open: string, wanted: string): CannotDo {
  return new CannotDo(`'${wanted}' leads out of ${open}.`, {
    outcome: outcome.refused,
    next: 'Only what is in that folder can be submitted. The user can start the server with another --folder.',
  });
}
