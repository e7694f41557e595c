import { translate } from '#client/src/words/language.ts';
import type { adminRequests as english } from '../admin/requests/words.ts';

export const adminRequests = translate<typeof english>()({
  state: 'Status',
  oldestFirst: 'Älteste zuerst',
  noneOpen: 'Keine offenen Anträge.',
  noneApproved: 'Keine genehmigten Anträge.',
  noneDeclined: 'Keine abgelehnten Anträge.',
  noneWithdrawn: 'Keine zurückgezogenen Anträge.',
  appearHere:
    'Wenn jemand ein größeres Kontingent beantragt, erscheint der Antrag hier mit seiner Begründung.',

  requestBy: 'Antrag von {user}',
  asksFor: '{user} beantragt {amount}',
  onSystem: '{project} auf {system}, {moment}',
  bannedThere: 'Dort gesperrt: {reason}',
  approve: 'Genehmigen…',
  decline: 'Ablehnen…',

  askDecline: 'Den Antrag von {user} ablehnen?',
  declineRequest: 'Antrag ablehnen',
  declined: 'Antrag abgelehnt.',
  nothingGranted:
    'Es wird nichts zugeteilt. {user} kann die Begründung lesen und einen neuen Antrag stellen.',

  askApprove: 'Den Antrag von {user} genehmigen?',
  approveRequest: 'Antrag genehmigen',
  approveLess: 'Weniger genehmigen',
  approveMore: 'Mehr genehmigen',
  approved: 'Antrag genehmigt.',
  addedAtOnce: 'Die Menge kommt sofort zum Kontingent in {project} hinzu.',
  hasThere: '{user} hat dort {left}.',
  notFromBudget: 'Zuteilungen der Administration gehen nicht vom Budget ab.',
  noSpace:
    '{user} hat dort keinen Speicherplatz; Jobs mit Eingabe werden deshalb abgelehnt. Bitte Speicherplatz angeben, etwa 10 GB.',
  hasNoneYet: '{user} hat dort noch kein Kontingent.',
  timeHint: 'wie beantragt; für mehr oder weniger ändern',
  spaceHint: 'etwa 10 GB; leer für keinen',
  untilHint: 'etwa 31. März oder 3 Monate; leer lässt das Ende, wie es ist',
  enterTime: 'Bitte eine Menge angeben, etwa 500 für 500 {unit}.',
  enterSpace: 'Bitte eine Menge mit Einheit angeben, etwa 10 GB.',
  giveSomething: 'Bitte Zeit, Speicherplatz oder beides zuteilen oder den Antrag ablehnen.',
});
