import { createPhrase } from '#client/src/words/language.ts';

export const connection = {
  configNotLoaded:
    'The configuration of the console cannot be loaded (status {status}). Reload the page.',
  configNotValid: 'The configuration of the console is not valid. Tell your administrator.',
} as const;

export const phrase = createPhrase('connection', connection);
