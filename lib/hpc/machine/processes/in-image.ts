import type { ImageTerms } from '../../script/choose-image.ts';
import { writeImageFetch } from '../../script/fetch-image.ts';
import { writeImageRemoval, writeImageRun } from '../../script/run-in-image.ts';
import type { FolderOrder, LimitLevel } from '../record/job-folder.ts';

/** What the machine says for itself, and the image for its programs. */
const ofTheMachine = new Set(['PATH', 'HOME', 'TMPDIR']);

interface Wanted extends Pick<FolderOrder, 'environment' | 'limits'> {
  readonly command: string;
  readonly network: boolean;
  readonly path: string;
}

/** Writes how a job runs in an image, which is its sandbox. */
export function runInImage(
  terms: ImageTerms,
  { command, environment, network, path, limits }: Wanted,
): Pick<FolderOrder, 'argv' | 'environment' | 'limits' | 'image'> {
  const level = levelOf(limits.level);
  const names = Object.keys(environment).filter((name) => !ofTheMachine.has(name));
  const run = writeImageRun(terms, {
    network,
    keepsGroup: level !== 'watched',
    asksEach: true,
  });
  return {
    argv: byShell(run, command, ...names),
    environment: { ...environment, PATH: path },
    limits: { ...limits, level },
    image: {
      name: terms.image,
      fetch: byShell(writeImageFetch(terms)),
      remove: byShell(writeImageRemoval(terms)),
    },
  };
}

const byShell = (text: string, ...parameters: string[]) => [
  '/bin/sh',
  '-c',
  text,
  'sh',
  ...parameters,
];

/** With version 1, containers always get groups of their own, so that the job's would not hold them. */
function levelOf(level: LimitLevel = 'watched'): LimitLevel {
  return level === 'control-group-v1' ? 'watched' : level;
}
