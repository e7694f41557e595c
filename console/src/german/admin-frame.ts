import { translate } from '#client/src/words/language.ts';
import type { adminFrame as english } from '../admin/frame/words.ts';

export const adminFrame = translate<typeof english>()({
  outOfDate: 'Die Adresse ist vielleicht veraltet.',
  choosePage: 'Bitte oben eine Seite wählen oder nach Person, Job oder Projekt suchen.',

  ledgerOfBudget: 'Buchungen des Budgets',
  ledgerEmpty: 'Noch keine Buchungen.',
  noBudget: 'Noch kein Budget.',

  findAnything: 'Person, Job oder Projekt suchen',
  findByKey: 'Person, Job oder Projekt suchen (f)',
  find: 'Suchen',
  titleBy: '{title} von {owner}',
  noSuchJob: 'Kein Job hat diese ID. Neue Jobs erscheinen manchmal mit kurzer Verzögerung.',
  noNewJob:
    'Kein Projekt und keiner der neuesten {count} Jobs passt. Für einen älteren Job bitte die ganze ID angeben.',
  noResults:
    'Nichts gefunden. Bitte eine Benutzernummer, den Anfang eines Namens, eine Job-ID (oder deren Anfang) oder ein Projekt angeben.',
});
