import { createPhrase } from '#client/src/words/language.ts';

export const live = {
  undo: 'Undo',
  undone: 'Undone. Nothing was changed.',
} as const;

export const phrase = createPhrase('live', live);
