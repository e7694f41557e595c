import type { Webhook } from '#client/src/index.ts';

type EventName = Webhook['events'][number];

/** What a webhook can be told of, in the words of whoever waits for it. */
export const eventNames: readonly { readonly event: EventName; readonly means: string }[] = [
  { event: 'job.submitted', means: 'a job was submitted' },
  { event: 'job.stage-changed', means: 'a job reached another stage' },
  { event: 'job.ended', means: 'a job has ended' },
  { event: 'quota.low', means: 'a quota is running low' },
  { event: 'quota.expiring', means: 'a quota is about to end' },
  { event: 'quota.renewing', means: 'a quota will renew in a week' },
  { event: 'quota.renewed', means: 'a quota was renewed' },
  { event: 'request.approved', means: 'a request was approved' },
  { event: 'request.declined', means: 'a request was declined' },
];
