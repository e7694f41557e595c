import type { DescribedRouteName } from '#functions/routes.ts';
import { administrationWords } from './administration.ts';
import { batchWords } from './batches.ts';
import { jobWords } from './jobs.ts';
import type { OperationWords, RouteWords } from './parameters.ts';
import { quotaWords } from './quotas.ts';
import { requestWords } from './requests.ts';
import { catalogWords, webhookWords } from './service.ts';

const groups = [
  { tag: 'Jobs', about: 'Submit jobs, follow them, and fetch their files.', words: jobWords },
  { tag: 'Batches', about: 'Submit many jobs as one, and follow them.', words: batchWords },
  { tag: 'Quotas', about: 'See what you may use, and where it went.', words: quotaWords },
  { tag: 'Requests', about: 'Ask for more, and decide requests.', words: requestWords },
  {
    tag: 'Systems',
    about: 'The HPC systems, their state, and their projects.',
    words: catalogWords,
  },
  { tag: 'Webhooks', about: 'Receive events instead of polling.', words: webhookWords },
  {
    tag: 'Administration',
    about: 'For administrators only: users, everybody’s jobs, the audit.',
    words: administrationWords,
  },
] as const;

/** Holds words for every operation of every route; a missing one does not compile. */
const words: RouteWords = {
  ...jobWords,
  ...batchWords,
  ...quotaWords,
  ...requestWords,
  ...catalogWords,
  ...webhookWords,
  ...administrationWords,
};

export const tags = groups.map(({ tag, about }) => ({ name: tag, description: about }));

export function wordsFor(route: DescribedRouteName, operation: string): OperationWords {
  const found = Object.entries(words[route]).find(([name]) => name === operation)?.[1];
  if (!found) throw new Error(`No words describe ${operation} of ${route}.`);
  return found;
}

export function tagOf(route: DescribedRouteName): string {
  return groups.find((group) => route in group.words)?.tag ?? '';
}
