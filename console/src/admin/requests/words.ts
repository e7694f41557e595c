import { createPhrase } from '#client/src/words/language.ts';
import { createRich } from '../../language/rich.ts';

export const adminRequests = {
  state: 'State',
  oldestFirst: 'Oldest first',
  noneOpen: 'No open requests.',
  noneApproved: 'No approved requests.',
  noneDeclined: 'No declined requests.',
  noneWithdrawn: 'No withdrawn requests.',
  appearHere: 'When somebody asks for more quota, the request appears here with its reason.',

  requestBy: 'Request by {user}',
  asksFor: '{user} asks for {amount}',
  onSystem: '{project} on {system}, {moment}',
  bannedThere: 'Banned there: {reason}',
  approve: 'Approve…',
  decline: 'Decline…',

  askDecline: 'Decline the request by {user}?',
  declineRequest: 'Decline request',
  declined: 'Request declined.',
  nothingGranted: 'Nothing is granted. {user} can read your reason and ask again.',

  askApprove: 'Approve the request by {user}?',
  approveRequest: 'Approve request',
  approveLess: 'Approve less',
  approveMore: 'Approve more',
  approved: 'Request approved.',
  addedAtOnce: 'The amount is added to the quota in {project} at once.',
  hasThere: '{user} has {left} there.',
  notFromBudget: 'An administrator’s grant is not taken from the budget.',
  noSpace:
    '{user} has no space there, so jobs with input will be refused. Enter space, such as 10 GB.',
  hasNoneYet: '{user} has no quota there yet.',
  timeHint: 'as requested; change it to give more or less',
  spaceHint: 'for example 10 GB; empty for none',
  untilHint: 'for example 31 March or 3 months; empty keeps the end date',
  enterTime: 'Enter an amount, such as 500 {unit}.',
  enterSpace: 'Enter an amount with a unit, such as 10 GB.',
  giveSomething: 'Give time, space or both, or decline the request.',
} as const;

export const phrase = createPhrase('adminRequests', adminRequests);
export const rich = createRich('adminRequests', adminRequests);
