import { translate } from '#client/src/words/language.ts';
import type { batches as english } from '../batches/words.ts';

export const batches = translate<typeof english>()({
  noneYet: 'Noch keine Batches.',
  dropForMany:
    'Ein Batch besteht aus vielen Jobs, die zusammen eingereicht werden, etwa für eine Parameterstudie. {drop} und im Formular viele Jobs wählen.',
  dropFolder: 'Einen Ordner hochladen',
  showOlder: 'Ältere Batches anzeigen',

  untitled: 'Batch ohne Titel',
  progress: 'Fortschritt',
  jobOf: 'Job {job} von {all}',
  chooseCell: 'Ein Feld wählen, um das Ende seiner Ausgabe zu sehen.',
  cell: '{job}: {state}',
  index: 'Index',
  indexOf: 'Index {index}',
  showOutput: 'Ausgabe anzeigen',
  noSuchIndex: 'Noch kein Job hat diesen Index.',
  chosenJob: 'Gewählter Job',
  close: 'Schließen',
  failed: 'Fehlgeschlagen',
  showMoreOf: 'Mehr von {count} anzeigen',
  endOf: 'Das Ende von {file}',
  emptyFile: 'Diese Datei ist leer.',
  openJob: 'Diesen Job mit allen Dateien öffnen',

  jobsByState: 'Jobs nach Status',
  all: 'alle',
  jobsSoFar: 'Bisher {jobs}. Die übrigen werden angelegt.',

  useResults: 'Diese Ergebnisse benutzen',
  runAgainFailed: 'Fehlgeschlagene erneut ausführen',
  askRunAgain: '{jobs} erneut ausführen?',
  runAgain: 'Erneut ausführen',
  submitted: 'Batch eingereicht.',
  failedBecomeBatch:
    'Die fehlgeschlagenen Jobs bilden einen neuen Batch mit derselben ZIP-Datei und denselben Werten. Für sie wird erneut Zeit reserviert.',
  cancelBatch: 'Batch abbrechen',
  askCancel: '{batch} abbrechen?',
  beingCancelled: 'Der Batch wird abgebrochen.',
  willStop: {
    one: '{count} Job wird abgebrochen und lässt sich nicht fortsetzen. Reserviert: {time}.',
    other: '{count} Jobs werden abgebrochen und lassen sich nicht fortsetzen. Reserviert: {time}.',
  },
  allReturned: 'Die reservierte Zeit wird vollständig zurückgegeben.',
  restReturned:
    'Die Zeit, die laufende Jobs bisher verbraucht haben, wird abgerechnet. Der Rest wird zurückgegeben.',
  endedKeepOutput:
    'Beendete Jobs behalten ihre Ausgabe. Die ZIP-Datei des Batches wird entfernt; fehlgeschlagene Jobs müssen dann neu eingereicht werden.',
  deleteBatch: 'Batch löschen',
  askDelete: '{batch} löschen?',
  beingDeleted: 'Der Batch wird gelöscht.',
  filesDeleted: 'Die Dateien von {jobs} und die ZIP-Datei werden endgültig gelöscht.',
  filesDeletedFreeing:
    'Die Dateien von {jobs} und die ZIP-Datei werden endgültig gelöscht; {space} werden frei.',
  staysListed: 'Der Batch bleibt mit seinem Verbrauch in den Listen.',

  details: 'Details',
  atOnce: 'Gleichzeitig',
  asManyAsRun: 'so viele, wie das System ausführt',
  limitOfEach: 'Zeitlimit je Job',
  hours: '{count} h',
  submittedAt: 'Eingereicht',
  endedAt: 'Beendet',
  notYet: 'noch nicht',
  quota: 'Kontingent',
  reserved: 'Reserviert',
  used: 'Verbraucht',
  seconds: '{count} Sekunden',
  spaceOfZip: 'Größe der ZIP-Datei',
});
