import { german } from '#client/src/words/german/german.ts';
import { job } from './job.ts';
import { parts } from './parts.ts';
import { shell } from './shell.ts';
import { submit } from './submit.ts';

export const language = {
  ...german,
  catalogues: {
    ...german.catalogues,
    job,
    parts,
    shell,
    submit,
  },
};
