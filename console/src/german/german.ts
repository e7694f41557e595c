import { german } from '#client/src/words/german/german.ts';
import { job } from './job.ts';
import { shell } from './shell.ts';

export const language = {
  ...german,
  catalogues: { ...german.catalogues, job, shell },
};
