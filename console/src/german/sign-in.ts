import { translate } from '#client/src/words/language.ts';
import type { signIn as english } from '../sign-in/words.ts';

export const signIn = translate<typeof english>()({
  signingIn: 'Anmeldung läuft…',
  yourJobsAndQuotas: 'Jobs und Kontingente auf den HPC-Systemen.',
  signIn: 'Anmelden',

  chooseWho: 'Das ist die Laptop-Edition. Als wer anmelden?',
  researcher: '{user} (Forschung)',
  administrator: '{user} (Administration)',
  anotherUser: 'Andere Person',
  needsKey:
    'Das ist die Laptop-Edition, und anmelden kann sich nur, wer ihren Schlüssel hat. Bitte die Adresse öffnen, die {command} ausgegeben hat, oder hier einfügen.',
  addressOrKey: 'Adresse oder Schlüssel',
  keyIsInFile:
    'Der Schlüssel steht auch in der Datei {file} im Ordner, in dem der Dienst gestartet wurde.',
  notAKey: 'Das ist kein Schlüssel. Er hat 43 Buchstaben und Ziffern und steht dort hinter #key=.',
  continue: 'Weiter',
  anotherKey: 'Dieser Schlüssel gehört nicht zu diesem Dienst.',
  noToken: 'Es wurde kein Token übermittelt. Bitte erneut versuchen.',

  notSignedIn: 'Nicht angemeldet. {reason} Für einen neuen Versuch die Seite neu laden.',
  issuerSentNo: 'Der Aussteller hat kein {token} gesendet.',
  issuerNotEncrypted:
    'Der Aussteller hat keine verschlüsselte Adresse für die Anmeldung. Bitte der Administration melden.',
});
