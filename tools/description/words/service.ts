import type { WordsOf } from './operation-words.ts';

const webhook = {
  webhook_id: '7b0f3b52-8a0e-4a53-9d0a-4f5c6f1f9a11',
  url: 'https://hooks.example/slipway',
  events: ['job.ended'],
  description: 'the portal',
  created: '2026-11-15T08:30:00Z',
};

export const webhookWords = {
  'read-webhooks': {
    list: { id: 'listWebhooks', summary: 'Your webhooks, the oldest first', example: [webhook] },
    one: {
      id: 'getWebhook',
      summary: 'One of your webhooks',
      problems: ['webhook-not-found'],
      example: webhook,
    },
    deliveries: {
      id: 'listDeliveries',
      summary: 'What was sent to a webhook in the last 30 days',
      problems: ['webhook-not-found'],
    },
  },
  'create-webhook': {
    create: {
      id: 'createWebhook',
      summary: 'Create a webhook',
      description: 'Its secret is shown this once.',
      problems: [
        'too-many-webhooks',
        'event-for-administrators',
        'body-too-large',
        'unsupported-body',
      ],
      requestExample: { url: webhook.url, events: ['job.ended'], description: 'the portal' },
    },
  },
  'delete-webhook': {
    delete: {
      id: 'deleteWebhook',
      summary: 'Delete a webhook',
      problems: ['webhook-not-found'],
      example: webhook,
    },
  },
} as const satisfies WordsOf<'read-webhooks' | 'create-webhook' | 'delete-webhook'>;

export const catalogWords = {
  'list-systems': {
    list: { id: 'listSystems', summary: 'The HPC systems, with their fields, limits and stages' },
  },
  'read-projects': {
    list: { id: 'listProjects', summary: 'The projects' },
    one: { id: 'getProject', summary: 'A project' },
  },
  'read-status': {
    read: {
      id: 'readStatus',
      summary: 'Whether the service and its systems are up',
      example: {
        status: 'up',
        systems: [{ name: 'hpc_one', project_hpc: 'HPC_ONE', status: 'up' }],
      },
    },
  },
} as const satisfies WordsOf<'list-systems' | 'read-projects' | 'read-status'>;
