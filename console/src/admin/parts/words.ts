import { createPhrase } from '#client/src/words/language.ts';

export const adminParts = {
  enterReason: 'Enter a reason. The audit keeps it.',
  goBack: 'Go back',
  enterEnd: 'Enter a day such as 31 March, 2027-03-31 or 3 months, or enter “never”.',
  showMore: 'Show more',
  time: 'Time',
  space: 'Space',
  until: 'Until',

  when: 'When',
  act: 'Act',
  user: 'User',
  project: 'Project',
  change: 'Change',
  reason: 'Reason',
  by: 'By',
} as const;

export const phrase = createPhrase('adminParts', adminParts);
