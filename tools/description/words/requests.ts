import type { RouteWords } from './parameters.ts';

const request = {
  request_id: '306328-01a1de53db405c6a1f0e9b7d4c21a3f0',
  user: '306328',
  project: 1,
  project_hpc: 'HPC_ONE',
  project_name: 'proj_hpc_one_01',
  time: 36_000,
  space: 1000.0,
  reason: 'a course in spring',
  state: 'open',
  opened: '2026-11-15T08:30:00Z',
  ended: null,
  decision: null,
};

const ended = '2026-11-15T09:12:40Z';

const withdrawnRequest = { ...request, state: 'withdrawn', ended };

/** The same request with the field that only administrators see. */
const judgedRequest = { ...request, banned: null };

const approvedRequest = {
  ...judgedRequest,
  state: 'approved',
  ended,
  decision: {
    by: '100001',
    reason: 'as every year',
    time: 36_000,
    space: 1000.0,
    valid_until: '2027-07-01T00:00:00Z',
  },
};

const declinedRequest = {
  ...judgedRequest,
  state: 'declined',
  ended,
  decision: {
    by: '100001',
    reason: 'the course has a project of its own',
    time: null,
    space: null,
    valid_until: null,
  },
};

export const requestWords = {
  'create-request': {
    create: {
      id: 'askForMore',
      summary: 'Ask for more time or space in a project',
      problems: ['request-open', 'too-many-open-requests', 'system-not-found', 'project-not-found'],
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
      example: request,
    },
  },
  'withdraw-request': {
    withdraw: {
      id: 'withdrawRequest',
      summary: 'Withdraw a request',
      problems: ['request-ended'],
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
      example: judgedRequest,
    },
  },
  'decide-request': {
    approve: {
      id: 'approveRequest',
      summary: 'Approve a request and grant its amount',
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
      example: approvedRequest,
    },
    decline: {
      id: 'declineRequest',
      summary: 'Decline a request',
      problems: ['request-ended'],
      requestExample: { reason: 'the course has a project of its own' },
      example: declinedRequest,
    },
  },
} as const satisfies Partial<RouteWords>;
