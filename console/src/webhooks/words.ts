import { createPhrase } from '#client/src/words/language.ts';

export const webhooks = {
  yourWebhooks: 'Your webhooks',
  copySecret: 'Copy the secret now. It is shown only once.',
  secretVerifies: 'Your receiver uses it to verify that a request comes from this service.',
  noneYet: 'No webhooks yet.',
  webhookNotifies:
    'A webhook notifies an address of yours when a job ends or a quota runs low, so that you do not have to check.',

  addWebhook: 'Add a webhook',
  address: 'Address',
  httpsAddress: 'an https address that can be reached from the internet',
  description: 'Description',
  optional: 'optional',
  notifyWhen: 'Notify when',
  createWebhook: 'Create webhook',
  jobSubmitted: 'a job was submitted',
  stageChanged: 'a job changed its stage',
  jobEnded: 'a job has ended',
  batchProgress: 'a batch has progressed (at most once a minute)',
  batchEnded: 'all jobs of a batch have ended',
  quotaLow: 'a quota is running low',
  quotaExpiring: 'a quota is about to end',
  quotaRenewing: 'a quota will renew in a week',
  quotaRenewed: 'a quota was renewed',
  requestApproved: 'a request was approved',
  requestDeclined: 'a request was declined',
  requestOpened: 'somebody asks for quota',

  sendTest: 'Send a test',
  testIsSent: 'The test is sent within a minute.',
  deleteWebhook: 'Delete webhook',
  deleteThis: 'Delete this webhook?',
  deliveriesStop: 'Deliveries stop, including retries. The secret is deleted.',
  deleted: 'Webhook deleted.',

  noDeliveries: 'No deliveries yet.',
  keptFor30Days: "Deliveries and the receiver's answers appear here for 30 days.",
  showMore: 'Show more',
  event: 'Event',
  when: 'When',
  state: 'State',
  tries: 'Tries',
  lastAnswer: 'Last answer',
  answeredIn: '{answer} in {ms} ms',
  nextTry: 'Next try',
  sendAgain: 'Send again',
  isSentAgain: 'The delivery is sent again within a minute.',
} as const;

export const phrase = createPhrase('webhooks', webhooks);
