import type { folders as english } from '../folders.ts';
import { translate } from '../language.ts';

export const folders = translate<typeof english>()({
  tooManyFiles:
    'Er enthält {files} Dateien; in eine ZIP-Datei passen höchstens {most}. Bitte einige davon zusammenpacken.',
  notUtf8: '„{name}“ hat einen Namen, der nicht UTF-8 ist. Bitte umbenennen.',
  oddCharacter: '„{name}“ hat einen Backslash oder ein Steuerzeichen im Namen. Bitte umbenennen.',
  isLink: '„{name}“ ist ein Link. Bitte durch eine Kopie des Ziels ersetzen oder entfernen.',
  notFile: '„{name}“ ist weder Datei noch Ordner. Bitte entfernen.',
  andMore: 'Und {more} weitere.',
  notPackable: '{folder} lässt sich nicht packen.',
  someNotSaved: 'Einige Dateien ließen sich nicht unter ihrem Namen speichern. {names}',
  nameTwice: 'Eine andere Datei des Jobs hat diesen Namen schon.',
  folderIsFile: 'Ein Ordner in ihrem Pfad ist schon eine Datei.',
  nameOfFolder: 'Ein Ordner hat diesen Namen schon.',
  nameTooLong: 'Der Name ist zu lang.',
  nameRefused: 'Das Dateisystem lässt diesen Namen nicht zu.',
  someBytes: 'Nur {written} von {whole} Bytes sind angekommen.',
  leadsOut: 'Der Name führt aus dem Ordner hinaus.',
  nameEmpty: 'Der Name ist leer.',
});
