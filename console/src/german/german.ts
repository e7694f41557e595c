import { german } from '#client/src/words/german/german.ts';
import { shell } from './shell.ts';

export const language = {
  ...german,
  catalogues: { ...german.catalogues, shell },
};
