import { createPhrase } from '#client/src/words/language.ts';
import { createRich } from '../language/rich.ts';

export const home = {
  noneYet: 'No jobs yet.',
  dropWithProgram: '{drop} with your program and data. You see the price before you submit.',
  dropFolder: 'Drop a folder',
  activeJobs: 'Active jobs',
  endedSince: 'Ended since your last visit',
  remainingQuota: 'Remaining quota',
  lastDays: 'The last 30 days',
  // Beside a number
  running: 'running',
  waiting: 'waiting',
  endedLately: 'ended since your last visit',
  openRequests: { one: 'open request', other: 'open requests' },

  needsAttention: 'Needs attention',
  onSystem: 'on {system}',
  oneOfBatch: 'one of a batch',
  someFailed: '{count} failed',
  waitingFor: 'waiting for {time}',
  endedOn: 'ended on {day}',
  endsOn: 'ends on {day}',
  nearlyUsedUp: 'nearly used up',
  lastsUntil: 'lasts until {day} at this rate',
} as const;

export const phrase = createPhrase('home', home);
export const rich = createRich('home', home);
