import { translate } from '#client/src/words/language.ts';
import type { shell as english } from '../shell/words.ts';

export const shell = translate<typeof english>()({
  skipToContent: 'Zum Inhalt',
  you: 'Konto',
  administrator: '{user} (Administration)',
  themeSystem: 'Design: System',
  themeLight: 'Design: hell',
  themeDark: 'Design: dunkel',
  signOut: 'Abmelden',

  pages: 'Seiten',
  submit: 'Einreichen',
  admin: 'Administration',

  mayBeOutOfDate:
    'Die Adresse ist vielleicht veraltet, oder die Seite gehört jemand anderem. {home} oder {jobs}.',
  goHome: 'Zur Startseite',
  seeYourJobs: 'zu den eigenen Jobs',

  keyboardShortcuts: 'Tastenkürzel',
  nextRow: 'nächste Zeile',
  previousRow: 'vorige Zeile',
  openRow: 'Zeile öffnen',
  selectRow: 'Zeile auswählen, mit Umschalt einen Bereich',
  undo: 'rückgängig machen, solange es angeboten wird',
  search: 'suchen',
  findPersonOrJob: 'Person, Job oder Projekt suchen',
  submitJob: 'Job einreichen',
  goToHome: 'zur Startseite',
  goToJobs: 'zu den Jobs',
  goToQuotas: 'zu den Kontingenten',
  showShortcuts: 'diese Tastenkürzel anzeigen',
  close: 'Schließen',

  cannotBeReached: {
    one: '{systems} ist nicht erreichbar.',
    other: '{systems} sind nicht erreichbar.',
  },
  noneAffected: 'Keiner der eigenen Jobs ist betroffen.',
  someAffected: {
    one: '{count} eigener Job ist betroffen.',
    other: '{count} eigene Jobs sind betroffen.',
  },
  handedOverLater: {
    one: 'Wartende Jobs werden übergeben, sobald das System wieder erreichbar ist. Laufende Jobs laufen weiter, aber ihr Status wird bis dahin nicht aktualisiert.',
    other:
      'Wartende Jobs werden übergeben, sobald die Systeme wieder erreichbar sind. Laufende Jobs laufen weiter, aber ihr Status wird bis dahin nicht aktualisiert.',
  },
  keepSubmitting:
    'Jobs können weiterhin eingereicht werden. Sie warten hier, und nichts geht verloren.',
});
