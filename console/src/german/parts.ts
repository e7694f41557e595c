import { translate } from '#client/src/words/language.ts';
import type { parts as english } from '../parts/words.ts';

export const parts = translate<typeof english>()({
  showAsTable: 'Als Tabelle zeigen',
  when: 'Wann',
  together: 'Zusammen',
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
  checkConnection: 'Bitte die Verbindung prüfen und dann neu laden. Eingetipptes bleibt erhalten.',
  reloadPage: 'Seite neu laden',

  loading: 'Wird geladen',
  signInAgain: 'Neu anmelden',
  signInRefused: 'Der Dienst nimmt die Anmeldung nicht mehr an. Eingetipptes bleibt erhalten.',
  tryAgain: 'Erneut versuchen',
  request: 'Anfrage {id}',
  noResponse: 'Der Dienst antwortet nicht',
  nothingIsLost:
    'Nichts ist verloren, und Jobs laufen weiter. Diese Seite versucht es von selbst erneut.',
  somethingWentWrong: 'Etwas ist schiefgegangen',

  stageOnSystem: 'Phase auf dem System: {stage}',
});
