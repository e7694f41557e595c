import { translateTold } from '../../format/sentences/translate-told.ts';
import { changes } from './changes.ts';
import { folders } from './folders.ts';
import { formats } from './formats.ts';
import { rows } from './rows.ts';
import { terms } from './terms.ts';
import { told } from './told.ts';

/** What every German reader needs. Command and console add their own catalogues. */
export const german = {
  code: 'de',
  digits: 'de-DE',
  days: 'de-DE',
  catalogues: { terms, formats, changes, rows, folders },
  tell: translateTold(told),
};
