import { translate } from '#client/src/words/language.ts';
import type { admin as english } from '../admin/words.ts';

export const admin = translate<typeof english>()({
  allJobs: 'Alle Jobs',
  allJobsIn: 'Alle Jobs in {project}',
  jobsBy: 'Jobs von {user}',
  jobsByIn: 'Jobs von {user} in {project}',
  about: 'Über {user}',
  jobsOfAll: 'Jobs aller Personen',
  noJobsMatch: 'Keine Jobs passen zu diesen Filtern.',
  removeFilterOfJobs:
    'Einen Filter entfernen, oder {all}. Neue Jobs erscheinen manchmal erst nach einem Augenblick.',
  seeAllJobs: 'alle Jobs zeigen',
  onlySorted: '{jobs}. Nur diese sind sortiert.',

  byOwner: 'von {owner}',
  deleteJobAsk: 'Job löschen…',
  cancelJobAsk: 'Job abbrechen…',
  ledgerOf: 'Buchungen von {user} in {project}',
  deleteThis: 'Diesen Job von {owner} löschen?',
  cancelThis: 'Diesen Job von {owner} abbrechen?',
  deleteJob: 'Job löschen',
  cancelJob: 'Job abbrechen',
  deleteMeans:
    'Seine Dateien werden endgültig gelöscht, und {owner} bekommt ihren Speicherplatz zurück. Der Job bleibt in Listen und Buchungen mit dem, was er verbraucht hat.',
  cancelMeans:
    'Der Job hält auf {system} an und lässt sich nicht fortsetzen. {owner} zahlt für die Zeit, die er lief, bekommt den Rest zurück und kann die Begründung lesen.',
  jobDeleted: 'Job gelöscht.',
  jobCancelled: 'Job abgebrochen.',

  downloadCsv: 'CSV herunterladen',
  noActsMatch: 'Keine Einträge passen zu diesen Filtern.',
  removeFilterOfActs: 'Einen Filter entfernen, oder {all}.',
  seeAllActs: 'alle Einträge zeigen',
  act: 'Eintrag',
  allActs: 'alle Einträge',
  user: 'Person',
  by: 'Durch',
  from: 'Von',
  to: 'Bis',
  applyFilters: 'Filter anwenden',
  chooseDay: 'Bitte einen Tag wählen.',
  enterUser: 'Bitte die Nummer der Person angeben, etwa 306328.',

  stateOfEach: 'Zustand jedes Systems',
  responds: 'Das System antwortet.',
  doesNotRespond:
    'Das System antwortet nicht. Jobs warten hier und werden übergeben, wenn es wieder da ist.',
  notCheckedLately: 'Seit drei Minuten nicht geprüft, weil kein Job es brauchte.',
  callsFailed: 'Die letzten {calls} Aufrufe sind gescheitert, der erste davon {when}.',
  lastContact: 'Letzter Kontakt {when}.',
  breakerClosed: 'Schutzschalter geschlossen: Aufrufe gehen durch.',
  breakerOpen: 'Schutzschalter offen: Aufrufe ruhen.',
  breakerOnTrial:
    'Schutzschalter auf Probe: die nächste Prüfung entscheidet, ob Aufrufe weitergehen.',
  nextCallIsDue: 'Der nächste ist fällig {when}.',
  load: '{waiting} warten, {running} laufen',
  loadOfOldest: '{load} (von den {count} ältesten)',
  waitingLongest: 'Wartet am längsten: {job}, eingereicht {when}',
  waitingBecause: 'Wartet am längsten: {job}, eingereicht {when}: {reason}',
  untitledJob: 'ein Job ohne Titel',
  lastError: 'Letzter Fehler {when}: {reason}',
  costs:
    'AWS Batch kostet diesen Monat etwa {estimate}: {used} für beendete Jobs, bis zu {held} für aktive. Es gibt kein Budget.',
  costsOfBudget:
    'AWS Batch kostet etwa {estimate} von den {budget} für diesen Monat: {used} für beendete Jobs, bis zu {held} für aktive.',
  submissionsPaused: 'Einreichen ruht bis {day}, oder bis Jobs vor ihrer Zeit enden.',

  notCheckedInDays: 'In den letzten {count} Tagen nicht geprüft.',
  showAsTable: 'Als Tabelle zeigen',
  day: 'Tag (UTC)',
  up: 'Erreichbar',
  slow: 'Langsam',
  down: 'Nicht erreichbar',
  answered: 'Antwort in {share} der Prüfungen von {count} Tagen.',
  answeredBut: 'Antwort in {share} der Prüfungen von {count} Tagen: {but}.',
  slowFor: '{time} lang langsam',
  downFor: '{time} lang nicht erreichbar',
  notChecked: 'nicht geprüft',
  wasUp: 'erreichbar {time}',
  wasSlow: 'langsam {time}',
  wasDown: 'nicht erreichbar {time}',
});
