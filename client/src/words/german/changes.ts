import type { changes as english } from '../changes.ts';
import { translate } from '../language.ts';

export const changes = translate<typeof english>()({
  'change.space': 'Speicherplatz',
  'change.noEnd': 'kein Ende',
  'change.none': 'keine Angabe',
  'change.leaders': 'Projektleitung',
  'change.description': 'Beschreibung',
  'change.activeJobs': 'aktive Jobs höchstens',
  'change.state': 'Zustand',
  'change.shared': 'ein Kontingent für alle',
  'change.group': 'Gruppe',
  'change.from': 'von',
  'change.until': 'bis',
  'change.drain': 'Jobs zurückhalten',
  'change.files': 'Dateien',
  'change.noRenewal': 'keine Erneuerung',
  'change.renews': '{every} am {day}. auf {amount}, Übertrag bis zu {kept}',
  'change.renewsFromMonth':
    '{every} ab Monat {month} am {day}. auf {amount}, Übertrag bis zu {kept}',
  'change.timeAndSpace': '{time} und {space}',
  'change.allSpace': 'der gesamte Speicherplatz',
  'problem.budgetTooSmall': 'Das Budget von {place} ist zu klein: {shortages}.',
  'problem.notFromBudget':
    'Einen Teil dieses Kontingents hat die Administration zugeteilt; nur sie kann ihn verringern, beenden oder entfernen. Bitte dort nachfragen.',
  'problem.belowUse':
    'Das Konto von {place} kann nicht unter {time} und {space} Speicherplatz sinken: So viel ist verbraucht, reserviert oder verteilt. Bitte mindestens so viel festlegen oder zuerst beendete Jobs löschen oder Anteile zurücknehmen.',
  'problem.belowZero':
    'Das Konto von {place} hat nur {time} und {space} Speicherplatz. Bitte höchstens so viel zurücknehmen.',
  'problem.hasLess':
    '{user} hat hier nur {time} und {space} Speicherplatz. Bitte höchstens so viel zurücknehmen.',
  'problem.inUse':
    'Das Kontingent von {place} wird von {active} aktiven und {ended} beendeten Jobs benutzt, die {time} und {space} Speicherplatz reservieren. {advice}',
  'problem.someDiscarded':
    'Diesmal abgebrochen oder gelöscht: {discarded}. Für den Rest bitte erneut versuchen.',
  'problem.noJobExplains':
    'Das lässt sich durch keinen Job erklären. Die Betreiber können das Konto abgleichen.',
  'problem.discardJobs': 'Zuerst die aktiven Jobs abbrechen und die beendeten löschen.',
});
