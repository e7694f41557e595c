import { createPhrase } from '#client/src/words/language.ts';

export const adminReports = {
  usageOf: 'Usage of {project}',
  usageByUser: 'Usage by {user} in {project}',
  downloadCsv: 'Download CSV',
  withNames: 'With names',

  // What rows stand for, within sentences and as headings
  project: 'project',
  user: 'user',
  system: 'system',
  day: 'day',
  month: 'month',
  by: 'By',
  byGroup: 'by {group}',
  dividedBy: 'divided by',
  dividedByLabel: 'Divided by',
  nothingElse: 'nothing else',
  from: 'From',
  to: 'To',
  startAfterEnd: 'The start date is after the end date.',
  tooManyDays: 'A report covers 366 days at most.',
  noUsage: 'No usage in this period.',
  countOnceEnded: 'Jobs count once they have ended. Choose another period.',
  fromTo: 'from {since} to {until}',

  usageBy: 'Usage by {group}, in {unit}',
  usageByAnd: 'Usage by {group} and {split}, in {unit}',
  usageAsInTable: 'Usage by {group}, as in the table',
  others: '{count} others',

  used: 'Used',
  seconds: '{count} seconds',
  jobs: 'Jobs',
  failed: 'Failed',
  cancelled: 'Cancelled',
  waitedMedian: 'Waited, median',
  waitedMost: 'Waited, 95 %',
  ranMedian: 'Ran, median',
  ranMost: 'Ran, 95 %',
  halfTookNoLonger: 'Half of the jobs took no longer',
  mostTookNoLonger: '95 of 100 of the jobs took no longer',
  ofAsked: 'Of asked',
  shareOfGranted: 'Used time, as a share of the granted time of jobs that ran',
} as const;

export const phrase = createPhrase('adminReports', adminReports);
