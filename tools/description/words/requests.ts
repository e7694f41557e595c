import { presentJudgedRequest, presentRequest } from '#lib/http/presenters/present-request.ts';
import type { QuotaRequest } from '#lib/requests/quota-request.ts';
import * as story from '../../story/things.ts';
import { operation, type RouteWords } from './parameters.ts';

const request = presentRequest(story.request);

const judge = (judged: QuotaRequest) =>
  presentJudgedRequest({ request: judged, bans: {}, name: 'Ada Lovelace' });

export const requestWords = {
  'create-request': {
    create: operation('askForMore', 'Ask for more time or space in a project', {
      problems: ['request-open', 'too-many-open-requests', 'system-not-found', 'project-not-found'],
      requestExample: {
        hpc: 'hpc_one',
        project_name: 'proj_hpc_one_01',
        time: 36_000,
        space: 1000,
        reason: 'a course in spring',
      },
      example: request,
    }),
  },
  'read-requests': {
    list: operation('listRequests', 'List your requests, oldest first', {
      example: [request],
    }),
    one: operation('getRequest', 'Get one of your requests', {
      example: request,
    }),
  },
  'withdraw-request': {
    withdraw: operation('withdrawRequest', 'Withdraw a request', {
      problems: ['request-ended'],
      example: presentRequest(story.withdrawnRequest),
    }),
  },
  'read-all-requests': {
    list: operation('listAllRequests', "List everybody's requests in one state, oldest first", {
      example: [judge(story.request)],
    }),
    one: operation('getAnyRequest', "Get anybody's request", {
      example: judge(story.request),
    }),
  },
  'decide-request': {
    approve: operation('approveRequest', 'Approve a request and grant its amount', {
      problems: [
        'request-ended',
        'project-not-found',
        'system-not-found',
        'grant-too-large',
        'budget-not-found',
        'budget-too-small',
        'budget-ends',
        'not-from-budget',
      ],
      requestExample: { reason: 'as every year' },
      example: judge(story.approvedRequest),
    }),
    decline: operation('declineRequest', 'Decline a request', {
      problems: ['request-ended'],
      requestExample: { reason: 'the course has a project of its own' },
      example: judge(story.declinedRequest),
    }),
  },
} as const satisfies Partial<RouteWords>;
