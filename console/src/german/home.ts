import { translate } from '#client/src/words/language.ts';
import type { home as english } from '../home/words.ts';

export const home = translate<typeof english>()({
  noneYet: 'Noch keine Jobs.',
  dropWithProgram:
    '{drop}, der Programm und Daten enthält. Die Kosten werden vor dem Einreichen angezeigt.',
  dropFolder: 'Einen Ordner hochladen',
  activeJobs: 'Aktive Jobs',
  endedSince: 'Seit dem letzten Besuch beendet',
  remainingQuota: 'Restkontingent',
  lastDays: 'Die letzten 30 Tage',
  running: 'laufend',
  waiting: 'wartend',
  endedLately: 'seit dem letzten Besuch beendet',
  openRequests: { one: 'offener Antrag', other: 'offene Anträge' },

  needsAttention: 'Handlungsbedarf',
  onSystem: 'auf {system}',
  oneOfBatch: 'Teil eines Batches',
  someFailed: '{count} fehlgeschlagen',
  waitingFor: 'wartet seit {time}',
  endedOn: 'endete am {day}',
  endsOn: 'endet am {day}',
  nearlyUsedUp: 'fast verbraucht',
  lastsUntil: 'reicht bei diesem Verbrauch bis zum {day}',
});
