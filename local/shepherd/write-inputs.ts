import { dirname, join } from 'node:path';
import type { Destination } from '#lib/files/staging/fetch-inputs.ts';
import { partsOfFolder } from '#lib/hpc/machine/record/job-folder.ts';
import { type JobPlace, openShell } from './open-shell.ts';

/** Writes the inputs of a job into its folder. */
export function openJobFolder(place: JobPlace): Destination {
  return {
    empty: () => write(place, `: >"$1"`).done(),
    append: () => write(place, `cat >>"$1"`),
    keep: (to) => write(place, `mkdir -p -- "$2" && mv -f -- "$1" "$3"`, [dirname(to), to]).done(),
  };
}

/** The first argument of the line is where a file grows until it is whole. */
function write(place: JobPlace, line: string, words: readonly string[] = []) {
  const part = join(place.folder, partsOfFolder.temporary, 'fetched');
  const { stdin, stdout, done } = openShell(
    place,
    line,
    [part, ...words],
    'it could not be put there',
  );
  stdout.resume();
  return {
    stdin,
    done() {
      stdin.end();
      return done();
    },
  };
}
