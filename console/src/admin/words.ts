import { createPhrase } from '#client/src/words/language.ts';
import { createRich } from '../language/rich.ts';

export const admin = {
  allJobs: 'All jobs',
  allJobsIn: 'All jobs in {project}',
  jobsBy: 'Jobs by {user}',
  jobsByIn: 'Jobs by {user} in {project}',
  about: 'About {user}',
  jobsOfAll: "All users' jobs",
  noJobsMatch: 'No jobs match these filters.',
  removeFilterOfJobs: 'Remove a filter, or {all}. New jobs can take a moment to appear.',
  seeAllJobs: 'see all jobs',
  onlySorted: '{jobs}. Only these are sorted.',

  byOwner: 'by {owner}',
  deleteJobAsk: 'Delete job…',
  cancelJobAsk: 'Cancel job…',
  ledgerOf: 'Ledger of {user} in {project}',
  deleteThis: 'Delete this job by {owner}?',
  cancelThis: 'Cancel this job by {owner}?',
  deleteJob: 'Delete job',
  cancelJob: 'Cancel job',
  deleteMeans:
    'Its files are deleted for good and its space is returned to {owner}. The job stays in lists and ledgers with what it used.',
  cancelMeans:
    'The job stops on {system} and cannot be resumed. {owner} is charged for the time it ran, gets the rest back, and can read your reason.',
  jobDeleted: 'Job deleted.',
  jobCancelled: 'Job cancelled.',

  downloadCsv: 'Download CSV',
  noActsMatch: 'No acts match these filters.',
  removeFilterOfActs: 'Remove a filter, or {all}.',
  seeAllActs: 'see all acts',
  act: 'Act',
  allActs: 'all acts',
  user: 'User',
  by: 'By',
  from: 'From',
  to: 'To',
  applyFilters: 'Apply filters',
  chooseDay: 'Choose a day.',
  enterUser: 'Enter a user number, such as 306328.',

  stateOfEach: 'State of each system',
  responds: 'The system responds.',
  doesNotRespond:
    'The system does not respond. Jobs wait here and are handed over when it is back.',
  notCheckedLately: 'Not checked for three minutes, because no job needed it.',
  callsFailed: 'The last {calls} calls failed, the first of them {when}.',
  lastContact: 'Last contact {when}.',
  breakerClosed: 'Breaker closed: calls go through.',
  breakerOpen: 'Breaker open: calls are paused.',
  breakerOnTrial: 'Breaker on trial: the next health check decides whether calls go on.',
  nextCallIsDue: 'The next one is due {when}.',
  load: '{waiting} waiting, {running} running',
  loadOfOldest: '{load} (of the {count} oldest)',
  waitingLongest: 'Waiting longest: {job}, submitted {when}',
  waitingBecause: 'Waiting longest: {job}, submitted {when}: {reason}',
  untitledJob: 'an untitled job',
  lastError: 'Last error {when}: {reason}',
  costs:
    'AWS Batch costs about {estimate} this month: {used} for ended jobs, up to {held} for active ones. There is no budget.',
  costsOfBudget:
    'AWS Batch costs about {estimate} of the {budget} for this month: {used} for ended jobs, up to {held} for active ones.',
  submissionsPaused: 'Submissions are paused until {day}, or until jobs end before their time.',

  notCheckedInDays: 'Not checked in the last {count} days.',
  showAsTable: 'Show as a table',
  day: 'Day (UTC)',
  up: 'Up',
  slow: 'Slow',
  down: 'Down',
  answered: 'Answered in {share} of the checks of {count} days.',
  answeredBut: 'Answered in {share} of the checks of {count} days: {but}.',
  slowFor: 'slow for {time}',
  downFor: 'down for {time}',
  notChecked: 'not checked',
  wasUp: 'up {time}',
  wasSlow: 'slow {time}',
  wasDown: 'down {time}',
} as const;

export const phrase = createPhrase('admin', admin);
export const rich = createRich('admin', admin);
