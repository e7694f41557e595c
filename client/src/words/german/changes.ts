import type { changes as english } from '../changes.ts';
import { translate } from '../language.ts';

export const changes = translate<typeof english>()({
  'change.space': 'Speicherplatz',
  'change.noEnd': 'kein Ende',
  'change.noAccount': 'keines',
  'change.noRenewal': 'keine Erneuerung',
  'change.renews': '{every} am Tag {day} auf {amount}, mit Übertrag bis zu {kept}',
  'change.renewsFromMonth':
    '{every} ab Monat {month} am Tag {day} auf {amount}, mit Übertrag bis zu {kept}',
  'change.timeAndSpace': '{time} und {space}',
  'change.allSpace': 'aller Speicherplatz',
  'problem.budgetTooSmall': 'Das Budget von {place} ist zu klein: {shortages}.',
  'problem.notFromBudget':
    'Einen Teil dieses Kontingents hat die Verwaltung gewährt, und nur sie kann diesen Teil verringern, beenden oder entfernen. Bitte dort nachfragen.',
  'problem.belowUse':
    'Das Konto von {place} kann nicht unter {time} und {space} Speicherplatz sinken: so viel ist verbraucht, reserviert oder verteilt. Mindestens so viel festlegen oder zuerst beendete Jobs löschen oder Anteile zurücknehmen.',
  'problem.belowZero':
    'Das Konto von {place} hat nur {time} und {space} Speicherplatz. Bitte höchstens so viel zurücknehmen.',
  'problem.hasLess':
    '{user} hat hier nur {time} und {space} Speicherplatz. Bitte höchstens so viel zurücknehmen.',
  'problem.inUse':
    'Das Kontingent von {place} wird von {active} aktiven und {ended} beendeten Jobs benutzt, die {time} und {space} Speicherplatz reservieren. {advice}',
  'problem.someDiscarded':
    'Diesmal abgebrochen oder gelöscht: {discarded}. Für den Rest bitte erneut versuchen.',
  'problem.noJobExplains': 'Kein Job erklärt das. Die Betreiber können das Konto abgleichen.',
  'problem.discardJobs': 'Zuerst die aktiven Jobs abbrechen und die beendeten löschen.',
});
