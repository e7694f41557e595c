import { translate } from '#client/src/words/language.ts';
import type { adminParts as english } from '../admin/parts/words.ts';

export const adminParts = translate<typeof english>()({
  enterReason: 'Bitte eine Begründung angeben. Sie bleibt im Protokoll.',
  goBack: 'Zurück',
  enterEnd: 'Bitte einen Tag angeben, etwa 31. März, 31.03.2027 oder 3 Monate, oder „nie“.',
  showMore: 'Mehr anzeigen',
  time: 'Zeit',
  space: 'Speicherplatz',
  until: 'Bis',

  when: 'Zeitpunkt',
  act: 'Aktion',
  user: 'Person',
  project: 'Projekt',
  change: 'Änderung',
  reason: 'Begründung',
  by: 'Durch',
});
