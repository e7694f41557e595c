import type { DescribedRouteName } from '#functions/routes.ts';
import { administrationWords } from './administration.ts';
import { jobWords } from './jobs.ts';
import type { OperationWords, WordsOf } from './operation-words.ts';
import { quotaWords } from './quotas.ts';
import { requestWords } from './requests.ts';
import { catalogWords, webhookWords } from './service.ts';

const groups = [
  { tag: 'Jobs', about: 'Submit jobs, follow them, fetch what they wrote.', words: jobWords },
  { tag: 'Quotas', about: 'What may be used, and where it went.', words: quotaWords },
  { tag: 'Requests', about: 'Ask for more, and decide what others ask for.', words: requestWords },
  {
    tag: 'Systems',
    about: 'The HPC systems, their projects, and whether they are up.',
    words: catalogWords,
  },
  { tag: 'Webhooks', about: 'Be told instead of asking.', words: webhookWords },
  {
    tag: 'Administration',
    about: 'For administrators only: users, everybody’s jobs, the audit.',
    words: administrationWords,
  },
] as const;

/** Every route has words for every operation: a missing one does not compile. */
const words: WordsOf<DescribedRouteName> = {
  ...jobWords,
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
