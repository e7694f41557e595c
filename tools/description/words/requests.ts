import {
  approvedRequest,
  declinedRequest,
  judgedRequest,
  request,
  withdrawnRequest,
} from '../examples/requests.ts';
import type { WordsOf } from './operation-words.ts';

const bodyProblems = ['body-too-large', 'unsupported-body'];

export const requestWords = {
  'create-request': {
    create: {
      id: 'askForMore',
      summary: 'Ask for more time or space in a project',
      problems: [
        'request-open',
        'too-many-open-requests',
        'system-not-found',
        'project-not-found',
        ...bodyProblems,
      ],
      requestExample: {
        hpc: 'hpc_one',
        project_name: 'proj_hpc_one_01',
        time: 36_000,
        space: 1000,
        reason: 'a course in spring',
      },
      example: request,
    },
  },
  'read-requests': {
    list: {
      id: 'listRequests',
      summary: 'List your requests, oldest first',
      example: [request],
    },
    one: {
      id: 'getRequest',
      summary: 'Get one of your requests',
      problems: ['request-not-found'],
      example: request,
    },
  },
  'withdraw-request': {
    withdraw: {
      id: 'withdrawRequest',
      summary: 'Withdraw a request',
      problems: ['request-not-found', 'request-ended'],
      example: withdrawnRequest,
    },
  },
  'read-all-requests': {
    list: {
      id: 'listAllRequests',
      summary: "List everybody's requests in one state, oldest first",
      example: [judgedRequest],
    },
    one: {
      id: 'getAnyRequest',
      summary: "Get anybody's request",
      problems: ['request-not-found'],
      example: judgedRequest,
    },
  },
  'decide-request': {
    approve: {
      id: 'approveRequest',
      summary: 'Approve a request and grant its amount',
      problems: [
        'request-not-found',
        'request-ended',
        'project-not-found',
        'system-not-found',
        'grant-too-large',
        ...bodyProblems,
      ],
      requestExample: { reason: 'as every year' },
      example: approvedRequest,
    },
    decline: {
      id: 'declineRequest',
      summary: 'Decline a request',
      problems: ['request-not-found', 'request-ended', ...bodyProblems],
      requestExample: { reason: 'the course has a project of its own' },
      example: declinedRequest,
    },
  },
} as const satisfies WordsOf<
  'create-request' | 'read-requests' | 'withdraw-request' | 'read-all-requests' | 'decide-request'
>;
