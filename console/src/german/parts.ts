import { translate } from '#client/src/words/language.ts';
import type { parts as english } from '../parts/words.ts';

export const parts = translate<typeof english>()({
  showAsTable: 'Als Tabelle anzeigen',
  when: 'Zeitpunkt',
  together: 'Gesamt',
  others: { one: '{count} weiteres', other: '{count} weitere' },

  copyText: '{text} kopieren',
  copy: 'Kopieren',
  copied: 'Kopiert.',
  copyingBlocked:
    'Der Browser hat das Kopieren verhindert. Bitte den Text markieren und selbst kopieren.',

  goBack: 'Zurück',
  name: 'Name',
  system: 'System',
  reason: 'Begründung',
  auditKeepsIt: 'Sie bleibt im Protokoll, und die Person kann sie lesen.',

  pageDidNotLoad: 'Diese Seite wurde nicht geladen',
  checkConnection: 'Bitte die Verbindung prüfen und dann neu laden. Eingaben bleiben erhalten.',
  reloadPage: 'Seite neu laden',

  loading: 'Wird geladen',
  signInAgain: 'Neu anmelden',
  signInRefused: 'Die Anmeldung ist nicht mehr gültig. Eingaben bleiben erhalten.',
  tryAgain: 'Erneut versuchen',
  request: 'Anfrage {id}',
  noResponse: 'Der Dienst antwortet nicht',
  nothingIsLost:
    'Es geht nichts verloren, und Jobs laufen weiter. Diese Seite versucht es automatisch erneut.',
  somethingWentWrong: 'Etwas ist schiefgegangen',

  stageOnSystem: 'Status auf dem System: {stage}',
});
