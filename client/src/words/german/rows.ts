import { translate } from '../language.ts';
import type { rows as english } from '../rows.ts';

export const rows = translate<typeof english>()({
  cellsMissing: 'Zeile {line} hat {cells} Zellen, die erste Zeile nennt aber {names}.',
  quoteMisplaced:
    'Zeile {line} hat ein Anführungszeichen an falscher Stelle. Ganze Zellen in Anführungszeichen setzen und die inneren verdoppeln.',
  lineTooLong: 'Zeile {line} ist zu lang. Fehlt ein schließendes Anführungszeichen?',
  userMissing: 'user: Die Benutzernummer fehlt.',
  projectTwice:
    'project: Das Projekt einmal nennen, entweder in project oder in hpc und project_name.',
  eitherOr: '{plain}: Entweder dies oder {raw} ausfüllen.',
  writeWhole: 'Bitte eine ganze Zahl angeben.',
  writeHours: 'Bitte eine Stundenzahl angeben, etwa 500, 2,5 oder "500 Knotenstunden".',
  writeSize: 'Bitte eine Größe mit Einheit angeben, etwa 10GB oder 500MB.',
  writeDay: 'Bitte einen Tag angeben, etwa "31. März", 31.03.2027 oder "3 Monate".',
  writeUser: 'Bitte die Benutzernummer angeben, etwa 306328.',
  unknownColumns:
    'Unbekannte Spalten: {unknown}. Die erste Zeile nennt die Spalten; bekannt sind {known}.',
  columnsMissing:
    'Fehlende Spalten: {missing}. Die erste Zeile nennt die Spalten, nämlich {known}.',
  notJson: 'Das ist kein gültiges JSON.',
  sameAsLine:
    'Zeile {first} nennt dieselbe Person und dasselbe System. Nur eine von beiden behalten.',
  noRows: 'Die Tabelle hat keine Zeilen unter den Namen ihrer Spalten.',
});
