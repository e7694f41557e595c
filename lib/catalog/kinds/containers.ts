import * as v from 'valibot';
import { field, filledListOf, matching, optional, section, text, trueOrFalse } from './forms.ts';

/** Programs that run a command in an image, where the system has them. */
export const runtimes = ['apptainer', 'podman', 'docker'] as const;
export type Runtime = (typeof runtimes)[number];

/** What stands for the program where each job runs in a container anyway. */
export const ownRuntime = 'batch';

const oneRuntime = '"apptainer", "podman", "docker" or "batch"';

/** Colons and commas part a mount from its options. */
const mountable = matching(
  /^\/[^\s'"\\$`:,]*$/,
  'a path that begins with / and has no spaces, quotes, colons or commas',
);

const imagePattern = matching(
  /^[A-Za-z0-9/*][A-Za-z0-9._:@/*-]{0,254}$/,
  'an image such as "docker.io/library/python:3.13", in which * stands for a part between slashes and ** for several',
);

const Mount = section({
  path: field(mountable, 'The file or folder, which has the same path in the container.'),
  writable: optional(trueOrFalse(), 'Whether jobs may write there (default: false).'),
});

const program = {
  images: field(
    filledListOf(imagePattern, 'a list of at least one image or pattern'),
    'The images that jobs may name. * stands for anything but a slash, ** for anything.',
  ),
  gpus: optional(
    trueOrFalse(),
    'Whether containers of jobs with GPUs see them (default: false). Needs the tools of NVIDIA.',
  ),
  mounts: optional(
    filledListOf(Mount, 'a list of at least one mount'),
    'What jobs see in the container besides their own folder and the data sets of their project.',
  ),
  cache: optional(
    mountable,
    'The directory for fetched images and locks, which jobs can write. {account} stands for the account that a job runs as (default: .cache/slipway in its home).',
  ),
};

/** The images in which the jobs of a system can run. */
export const Containers = v.variant(
  'runtime',
  [
    ...runtimes.map((name) => section({ runtime: v.literal(name, oneRuntime), ...program })),
    section({
      runtime: v.literal(ownRuntime, oneRuntime),
      images: field(
        v.record(imagePattern, text(256), 'an object with a job definition for each image'),
        'The images that jobs may name, each with the name or ARN of the job definition that has it.',
      ),
    }),
  ],
  oneRuntime,
);
