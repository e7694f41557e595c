import { createPhrase } from '#client/src/words/language.ts';

/** What everybody loads. The words of the pages themselves are in the rooms around. */
export const adminFrame = {
  outOfDate: 'The address may be out of date.',
  choosePage: 'Choose a page above, or search for a person, job or project.',

  ledgerOfBudget: 'Ledger of the budget',
  ledgerEmpty: 'The ledger is empty.',
  noBudget: 'No budget yet.',

  findAnything: 'Find a person, job or project',
  findByKey: 'Find a person, job or project (f)',
  find: 'Find',
  titleBy: '{title} by {owner}',
  noSuchJob: 'No job has this id. New jobs can take a moment to appear.',
  noNewJob:
    'No project and none of the newest {count} jobs match. Enter a whole job id to find an older job.',
  noResults:
    'No results. Enter the number or the start of the name of a user, a job id or the start of one, or a project.',
} as const;

export const phrase = createPhrase('adminFrame', adminFrame);
