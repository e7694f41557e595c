import { translate } from '#client/src/words/language.ts';
import type { home as english } from '../home/words.ts';

export const home = translate<typeof english>()({
  noneYet: 'Noch keine Jobs.',
  dropWithProgram: '{drop}, mit Programm und Daten. Der Preis ist vor dem Einreichen zu sehen.',
  dropFolder: 'Einen Ordner ablegen',
  activeJobs: 'Aktive Jobs',
  endedSince: 'Seit dem letzten Besuch beendet',
  remainingQuota: 'Übriges Kontingent',
  lastDays: 'Die letzten 30 Tage',
  running: 'laufend',
  waiting: 'wartend',
  endedLately: 'seit dem letzten Besuch beendet',

  needsAttention: 'Braucht Aufmerksamkeit',
  onSystem: 'auf {system}',
  oneOfBatch: 'einer von einem Batch',
  someFailed: '{count} fehlgeschlagen',
  waitingFor: 'wartet seit {time}',
  endedOn: 'endete am {day}',
  endsOn: 'endet am {day}',
  nearlyUsedUp: 'fast verbraucht',
  lastsUntil: 'reicht bei diesem Verbrauch bis {day}',
});
