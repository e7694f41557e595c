import { translate } from '#client/src/words/language.ts';
import type { notifications as english } from '../notifications/words.ts';

export const notifications = translate<typeof english>()({
  forPrograms: 'Für Programme',
  webhookSends: 'Ein {webhook} sendet diese und andere Ereignisse an eine eigene Adresse.',
  webhook: 'Webhook',

  byMail: 'Per Mail',
  sendsNoMail: 'Dieser Dienst versendet keine Mails. Seine Betreiber können das einrichten.',
  confirm: '{address} bestätigen.',
  openLink: 'Bitte den Link in der Mail öffnen, die dorthin ging. Das kann eine Minute dauern.',
  untilThen: 'Bis dahin gehen Mails an {address}.',
  yourAddress: 'Eigene Adresse',
  mailsGoHere: 'Mails gehen an diese Adresse.',
  addressOfSignIn: 'Die Adresse der Anmeldung. Sie braucht keine Bestätigung.',
  confirmedByLink: 'Dorthin kommt eine Mail mit einem Link, der sie bestätigt.',
  tellMeWhen: 'Benachrichtigen, wenn',
  jobEnded: 'ein Job beendet ist',
  batchEnded: 'alle Jobs eines Batches beendet sind',
  quotaLow: 'ein Kontingent knapp wird',
  maintenance: 'die Wartung eines Systems angekündigt wird, auf dem eigene Jobs aktiv sind',
  statement: 'der Monatsauszug eines selbst geleiteten Projekts feststeht',
  requestDecided: 'über einen eigenen Antrag entschieden wurde',
  howOften: 'Wie oft',
  whenMany: 'Sofort, und viele zusammen in einer Mail',
  daily: 'Einmal am Tag, um 6:00 UTC',
  languageOfMails: 'Sprache der Mails',
  save: 'Speichern',
  saveAndSendAgain: 'Speichern und den Link erneut senden',
  saved: 'Einstellungen gespeichert.',
  linkIsSent: 'Eine Mail mit einem Link ist unterwegs an {address}.',
  stopAll: 'Alle Mails abbestellen',
  noMoreMails: 'Es kommen keine Mails mehr.',

  inThisBrowser: 'In diesem Browser',
  cannotShow: 'Dieser Browser kann keine Benachrichtigungen anzeigen.',
  areBlocked:
    'Benachrichtigungen dieser Seite sind blockiert. Bitte in den Einstellungen des Browsers neben der Adresse erlauben und die Seite neu laden.',
  canShow:
    'Eine Benachrichtigung anzeigen, wenn ein Job endet (solange die Konsole in einem Tab geöffnet ist).',
  turnOn: 'Benachrichtigungen einschalten',
  isOn: 'Eingeschaltet. Wenn ein Job endet, erscheint eine Benachrichtigung, solange ein Tab offen ist.',
  turnOff: 'Benachrichtigungen ausschalten',

  quoted: '„{title}“',
  failed: 'Job {name} ist fehlgeschlagen',
  wasCancelled: 'Job {name} wurde abgebrochen',
  hasEnded: 'Job {name} ist beendet',
  haveEnded: '{count} Jobs sind beendet',
});
