import { translate } from '#client/src/words/language.ts';
import type { live as english } from '../live/words.ts';

export const live = translate<typeof english>()({
  undo: 'Rückgängig',
  undone: 'Rückgängig gemacht. Es wurde nichts geändert.',
});
