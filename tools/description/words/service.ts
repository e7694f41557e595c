import { presentLedProject } from '#lib/http/presenters/present-budget.ts';
import * as story from '../../story/things.ts';
import { operation, type RouteWords } from './parameters.ts';
import { statement, statementTable } from './statement.ts';

const webhook = {
  webhook_id: '7b0f3b52-8a0e-4a53-9d0a-4f5c6f1f9a11',
  url: 'https://hooks.example/slipway',
  events: ['job.ended'],
  description: 'the portal',
  created: '2026-11-15T08:30:00Z',
};

const newWebhook = { ...webhook, secret: 'whsec_c2xpcHdheSBzaG93cyBpdCBvbmNl' };

const notifications = {
  available: true,
  email: 'ada@example.org',
  unconfirmed_email: null,
  token_email: 'ada@example.org',
  events: ['job.ended', 'batch.ended', 'quota.low', 'request.decided'],
  digest: 'when-many',
  language: 'en',
};

const deliveries = [
  {
    delivery_id: '1794737160000-AF17D39A-9E15-4FE3-9F84-0EAEB4CC94AA-ended',
    event_id: 'AF17D39A-9E15-4FE3-9F84-0EAEB4CC94AA-ended',
    type: 'job.ended',
    at: '2026-11-15T10:06:00Z',
    state: 'waiting',
    next_try: '2026-11-15T10:07:48Z',
    tries: [
      { at: '2026-11-15T10:06:01Z', status: 503, reason: null, ms: 41 },
      { at: '2026-11-15T10:07:05Z', status: null, reason: 'no answer within 10 s', ms: 10_002 },
    ],
  },
];

export const announcedWindow = {
  name: '2099-12-01',
  from: '2099-12-01T08:00:00Z',
  until: '2099-12-01T16:00:00Z',
  reason: 'New firmware for the storage.',
  drain: true,
  source: 'administrator',
};

export const pauseWindow = {
  ...announcedWindow,
  name: 'pause',
  from: '2026-11-15T08:30:00Z',
  until: null,
  reason: 'The cooling has failed.',
};

export const systems = [
  {
    name: 'hpc_one',
    project_hpc: 'HPC_ONE',
    description: 'A batch scheduler: the job is a command.',
    maintenance: [announcedWindow],
    projects: ['proj_hpc_one_01'],
    default_project: 'proj_hpc_one_01',
    payload: {
      required: ['command', 'node_number', 'core_number', 'runtime'],
      optional: ['title'],
    },
    limits: { node_number: 512, core_number: 64, runtime: 24.0 },
    charging: 'node',
    simulated: false,
    machine: {
      cores: 8,
      memory_megabytes: 33_000,
      limits: 'Memory and processes of each job are limited by a control group.',
      sandboxed: false,
    },
    live_output: true,
    cancel_keeps_output: true,
    stages: [
      'READY',
      'STAGINGIN',
      'QUEUED',
      'RUNNING',
      'STAGINGOUT',
      'SUCCESSFUL',
      'FAILED',
      'CANCELED',
      'DELETED',
    ],
    stage_meanings: {
      READY: 'waiting',
      STAGINGIN: 'waiting',
      QUEUED: 'waiting',
      RUNNING: 'running',
      STAGINGOUT: 'finishing',
      SUCCESSFUL: 'done',
      FAILED: 'failed',
      CANCELED: 'cancelled',
      DELETED: 'deleted',
    },
  },
];

export const project = {
  id: 1,
  project_hpc: 'HPC_ONE',
  project_name: 'proj_hpc_one_01',
  default: true,
  max_living_jobs: 1000,
};

export const ledProject = presentLedProject({
  project: { ...story.quota.project, maxLivingJobs: 1000 },
  leaders: [story.quota.user],
  budget: {
    ...story.quota,
    time: { granted: 36_000_000, left: 28_800_000, held: 0, used: 7_200_000 },
    space: { granted: 100_000_000, left: 90_000_000, held: 0, used: 10_000_000 },
    validUntil: new Date('2027-12-31T23:59:59Z'),
    share: { seconds: 7_200_000, kilobytes: 10_000_000 },
  },
});

const budgetLines = [
  {
    at: '2026-11-16T09:00:00.000Z',
    kind: 'grant',
    time: 36_000_000,
    space: 100_000_000,
    time_left: 36_000_000,
    space_left: 100_000_000,
    by: '100001',
    reason: 'the year 2027',
    job_id: null,
    act_id: '5f0d3c52-0f5a-4c55-9d6a-93f4d7a9a001',
  },
];

export const systemReports = [
  {
    name: 'hpc_one',
    project_hpc: 'HPC_ONE',
    status: 'down',
    maintenance: [announcedWindow],
    last_contact: '2026-11-15T08:29:31Z',
    failing_since: '2026-11-15T08:30:00Z',
    breaker: { state: 'open', failures: 5, open_until: '2026-11-15T08:31:02Z' },
    last_error: { at: '2026-11-15T08:30:32Z', reason: 'The HPC system did not answer.' },
    history: [
      { day: '2026-11-14', up: 1431, slow: 9, down: 0 },
      { day: '2026-11-15', up: 510, slow: 0, down: 1 },
    ],
  },
];

const status = {
  status: 'up',
  version: '0.2.0+771cafa',
  systems: [{ name: 'hpc_one', project_hpc: 'HPC_ONE', status: 'up' }],
};

export const webhookWords = {
  'read-webhooks': {
    list: operation('listWebhooks', 'List your webhooks, oldest first', { example: [webhook] }),
    one: operation('getWebhook', 'Get one of your webhooks', {
      example: webhook,
    }),
    deliveries: operation(
      'listDeliveries',
      'List the deliveries of a webhook in the last 30 days',
      {
        example: deliveries,
      },
    ),
    notifications: operation('getNotifications', 'Get what you are told by mail', {
      example: notifications,
    }),
  },
  'create-webhook': {
    create: operation('createWebhook', 'Create a webhook', {
      description: 'The answer is the only one that shows its secret.',
      problems: ['too-many-webhooks', 'event-for-administrators'],
      requestExample: { url: webhook.url, events: ['job.ended'], description: 'the portal' },
      example: newWebhook,
    }),
    test: operation('testWebhook', 'Send a test to a webhook', {
      description:
        'Sends `webhook.test` within a minute, once and without retries. The list of deliveries shows the answer of the receiver.',
      example: {
        delivery_id: '1794737160000-test-5c6a1f0e-9b7d-4c21-a3f0-1f0a7d5c2e11',
        event_id: 'test-5c6a1f0e-9b7d-4c21-a3f0-1f0a7d5c2e11',
        type: 'webhook.test',
        at: '2026-11-15T10:06:00Z',
        state: 'waiting',
        next_try: '2026-11-15T10:06:00Z',
        tries: [],
      },
    }),
    again: operation('sendAgain', 'Send a delivery again', {
      description:
        'Sends it again within a minute, also if it was delivered or given up. The body and its `webhook-id` stay the same. If it fails, it is retried for a day.',
      example: { ...deliveries[0], next_try: '2026-11-15T10:07:09Z' },
    }),
  },
  'change-notifications': {
    change: operation('changeNotifications', 'Choose what you are told by mail', {
      description:
        'What you leave out stays as it is. An address other than the one in your token gets a mail with a link that confirms it.',
      problems: ['mail-not-set-up', 'too-many-links'],
      requestExample: {
        email: 'ada@example.org',
        events: ['job.ended'],
        digest: 'when-many',
        language: 'de',
      },
      example: { ...notifications, events: ['job.ended'], language: 'de' },
    }),
  },
  'answer-mail': {
    confirm: operation('confirmEmail', 'Confirm an address with the pass from a mail', {
      description: 'The answer is a page for the person who opened the link.',
      example: '<!doctype html>...',
      problems: ['link-not-valid'],
    }),
    unsubscribe: operation('unsubscribe', 'End all mails to an address with the pass from a mail', {
      description:
        'Mail programs call it with one click (RFC 8058). The answer is a page for the person who opened the link.',
      example: '<!doctype html>...',
      problems: ['link-not-valid'],
    }),
  },
  'delete-webhook': {
    delete: operation('deleteWebhook', 'Delete a webhook', {
      example: webhook,
    }),
  },
} as const satisfies Partial<RouteWords>;

export const catalogWords = {
  'list-systems': {
    list: operation(
      'listSystems',
      'List the HPC systems: fields, limits, stages and their meanings',
      {
        example: systems,
      },
    ),
  },
  'read-projects': {
    list: operation('listProjects', 'List the projects', {
      description: 'With `led=true` only those that you lead.',
      example: [project],
    }),
    one: operation('getProject', 'Get a project', { example: project }),
    budget: operation('getBudget', 'Get the budget and the leaders of a project', {
      description: 'For its leaders and administrators.',
      problems: ['not-leader'],
      example: ledProject,
    }),
    ledger: operation(
      'readBudgetLedger',
      "Get the ledger of a project's budget, newest lines first",
      {
        description: 'For its leaders and administrators.',
        problems: ['not-leader', 'budget-not-found'],
        example: budgetLines,
      },
    ),
    statement: operation('getStatement', 'Get the statement of a project for a month', {
      description:
        'For its leaders and administrators. Opening balance + granted - expired + corrected + shared - used + drawn - reserved = closing balance, in every row and in their sums. With `Accept: text/csv` you get a table.',
      problems: ['not-leader', 'statement-not-ready'],
      example: statement,
      exampleTable: statementTable,
    }),
  },
  'read-status': {
    read: operation('readStatus', 'Check whether the service and its systems are up', {
      example: status,
    }),
  },
} as const satisfies Partial<RouteWords>;
