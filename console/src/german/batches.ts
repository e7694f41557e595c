import { translate } from '#client/src/words/language.ts';
import type { batches as english } from '../batches/words.ts';

export const batches = translate<typeof english>()({
  noneYet: 'Noch keine Batches.',
  dropForMany:
    'Ein Batch besteht aus vielen Jobs, die zusammen eingereicht werden, etwa für eine Parameterstudie. {drop} und im Formular viele Jobs wählen.',
  dropFolder: 'Einen Ordner ablegen',
  showOlder: 'Ältere Batches zeigen',

  untitled: 'Batch ohne Titel',
  progress: 'Fortschritt',
  jobOf: 'Job {job} von {all}',
  chooseCell: 'Ein Feld wählen, um das Ende seiner Ausgabe zu sehen.',
  cell: '{job}: {state}',
  index: 'Index',
  indexOf: 'Index {index}',
  showOutput: 'Ausgabe zeigen',
  noSuchIndex: 'Noch kein Job hat diesen Index.',
  chosenJob: 'Gewählter Job',
  close: 'Schließen',
  failed: 'Fehlgeschlagen',
  showMoreOf: 'Mehr von {count} zeigen',
  endOf: 'Das Ende von {file}',
  emptyFile: 'Diese Datei ist leer.',
  openJob: 'Diesen Job mit allen Dateien öffnen',

  jobsByState: 'Jobs nach Zustand',
  all: 'alle',
  jobsSoFar: 'Bisher {jobs}. Die übrigen werden angelegt.',

  useResults: 'Diese Ergebnisse benutzen',
  runAgainFailed: 'Fehlgeschlagene noch einmal ausführen',
  askRunAgain: '{jobs} noch einmal ausführen?',
  runAgain: 'Noch einmal ausführen',
  submitted: 'Batch eingereicht.',
  failedBecomeBatch:
    'Die fehlgeschlagenen Jobs werden ein eigener Batch, mit demselben Zip und denselben Werten. Für sie wird erneut Zeit reserviert.',
  cancelBatch: 'Batch abbrechen',
  askCancel: '{batch} abbrechen?',
  beingCancelled: 'Der Batch wird abgebrochen.',
  willStop: {
    one: '{count} Job wird abgebrochen und lässt sich nicht fortsetzen. Reserviert: {time}.',
    other: '{count} Jobs werden abgebrochen und lassen sich nicht fortsetzen. Reserviert: {time}.',
  },
  allReturned: 'Alles davon wird zurückgegeben.',
  restReturned:
    'Die Zeit, die laufende Jobs bisher verbraucht haben, wird abgerechnet. Der Rest wird zurückgegeben.',
  endedKeepOutput:
    'Beendete Jobs behalten ihre Ausgabe. Das Zip des Batches wird entfernt; fehlgeschlagene Jobs lassen sich dann nur mit einer neuen Einreichung noch einmal ausführen.',
  deleteBatch: 'Batch löschen',
  askDelete: '{batch} löschen?',
  beingDeleted: 'Der Batch wird gelöscht.',
  filesDeleted: 'Die Dateien von {jobs} und das Zip sind dann endgültig weg.',
  filesDeletedFreeing:
    'Die Dateien von {jobs} und das Zip sind dann endgültig weg, und {space} sind wieder frei.',
  staysListed: 'Der Batch bleibt mit seinem Verbrauch in den Listen.',

  details: 'Einzelheiten',
  atOnce: 'Zugleich',
  asManyAsRun: 'so viele, wie das System ausführt',
  limitOfEach: 'Zeitgrenze je Job',
  hours: '{count} h',
  submittedAt: 'Eingereicht',
  endedAt: 'Beendet',
  notYet: 'noch nicht',
  quota: 'Kontingent',
  reserved: 'Reserviert',
  used: 'Verbraucht',
  seconds: '{seconds} Sekunden',
  spaceOfZip: 'Speicherplatz des Zips',
});
