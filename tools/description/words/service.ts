import { deliveries, newWebhook, project, status, systems, webhook } from '../examples/service.ts';
import type { WordsOf } from './operation-words.ts';

export const webhookWords = {
  'read-webhooks': {
    list: { id: 'listWebhooks', summary: 'List your webhooks, oldest first', example: [webhook] },
    one: {
      id: 'getWebhook',
      summary: 'Get one of your webhooks',
      problems: ['webhook-not-found'],
      example: webhook,
    },
    deliveries: {
      id: 'listDeliveries',
      summary: 'List the deliveries of a webhook in the last 30 days',
      problems: ['webhook-not-found'],
      example: deliveries,
    },
  },
  'create-webhook': {
    create: {
      id: 'createWebhook',
      summary: 'Create a webhook',
      description: 'The answer is the only one that shows its secret.',
      problems: [
        'too-many-webhooks',
        'event-for-administrators',
        'body-too-large',
        'unsupported-body',
      ],
      requestExample: { url: webhook.url, events: ['job.ended'], description: 'the portal' },
      example: newWebhook,
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
    list: {
      id: 'listSystems',
      summary: 'List the HPC systems: fields, limits, stages and their meanings',
      example: systems,
    },
  },
  'read-projects': {
    list: { id: 'listProjects', summary: 'List the projects', example: [project] },
    one: { id: 'getProject', summary: 'Get a project', example: project },
  },
  'read-status': {
    read: {
      id: 'readStatus',
      summary: 'Check whether the service and its systems are up',
      example: status,
    },
  },
} as const satisfies WordsOf<'list-systems' | 'read-projects' | 'read-status'>;
