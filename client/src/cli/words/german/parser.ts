import { translate } from '../../../words/language.ts';
import type { parser as english } from '../english/parser.ts';

export const parser = translate<typeof english>()({
  'parser.unknownOption': 'Unbekannte Option „{it}“',
  'parser.unknownCommand': 'Unbekannter Befehl „{it}“',
  'parser.missingArgument': 'Das Argument „{it}“ fehlt',
  'parser.missingValue': 'Für die Option „{it}“ fehlt ein Wert',
  'parser.missingOption': 'Die Option „{it}“ fehlt',
  'parser.tooManyArguments': {
    one: 'Zu viele Argumente. Erwartet: {count}, angegeben: {got}.',
    other: 'Zu viele Argumente. Erwartet: {count}, angegeben: {got}.',
  },
  'parser.tooManyArgumentsFor': {
    one: 'Zu viele Argumente für „{it}“. Erwartet: {count}, angegeben: {got}.',
    other: 'Zu viele Argumente für „{it}“. Erwartet: {count}, angegeben: {got}.',
  },
  'parser.invalidValue': 'Der Wert „{given}“ der Option „{it}“ ist ungültig.',
  'parser.invalidArgument': 'Der Wert „{given}“ des Arguments „{it}“ ist ungültig.',
  'parser.choicesAre': 'Möglich sind {it}.',
  'parser.didYouMeanOneOf': '(War eines davon gemeint: {it}?)',
  'parser.didYouMean': '(War {it} gemeint?)',
  'parser.usage': 'Aufruf:',
  'parser.arguments': 'Argumente:',
  'parser.options': 'Optionen:',
  'parser.globalOptions': 'Allgemeine Optionen:',
  'parser.commands': 'Befehle:',
  'parser.placeholders':
    'Optionen Befehl Name Sprache Zeit Werkzeug Anzahl Größe Art Klasse Image Titel Projekt Wert Adresse Pfad Muster Job was CSV Ordner HPC Eingabe Wort Text wann Batch Namen Tag Knotenstunden Wörter Antrag Datei Schlüssel Rechte Zielgruppe Benutzer Menge Status Monat Zeitraum Konto Gruppe Zustellung ID IDs URL Webhook Code Shell Port',
  'parser.choices': 'möglich: ',
  'parser.default': 'Standard: ',
});
