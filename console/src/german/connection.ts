import { translate } from '#client/src/words/language.ts';
import type { connection as english } from '../connection/words.ts';

export const connection = translate<typeof english>()({
  configNotLoaded:
    'Die Konfiguration der Konsole lässt sich nicht laden (Status {status}). Bitte die Seite neu laden.',
  configNotValid: 'Die Konfiguration der Konsole ist ungültig. Bitte der Administration melden.',
});
