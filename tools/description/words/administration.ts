import type { WordsOf } from './operation-words.ts';

const user = { user: '306328', first_seen: '2026-11-15T08:30:00Z', banned: null, bans: [] };

const bodyProblems = ['body-too-large', 'unsupported-body'];

export const administrationWords = {
  'read-users': {
    list: { id: 'listUsers', summary: 'All users', example: [user] },
    one: { id: 'getUser', summary: 'One user', problems: ['user-not-found'], example: user },
  },
  'ban-user': {
    ban: {
      id: 'banUser',
      summary: 'Ban a user from submitting, anywhere or to one project',
      problems: ['quota-not-found', ...bodyProblems],
      requestExample: { reason: 'asked to stop' },
      example: { ...user, banned: 'asked to stop' },
    },
  },
  'unban-user': {
    unban: {
      id: 'unbanUser',
      summary: 'Lift a ban',
      problems: ['user-not-found', ...bodyProblems],
      example: user,
    },
  },
  'read-all-jobs': {
    list: { id: 'listAllJobs', summary: "Everybody's jobs" },
    one: { id: 'getAnyJob', summary: 'A job of anybody', problems: ['job-not-found'] },
    timeline: {
      id: 'getAnyTimeline',
      summary: "What has become of anybody's job, and why it waits",
      problems: ['job-not-found'],
    },
  },
  'cancel-job': {
    cancel: {
      id: 'cancelAnyJob',
      summary: "Cancel anybody's job",
      problems: ['job-not-found', 'job-ended', 'storage-unavailable', ...bodyProblems],
    },
  },
  'read-audit': {
    list: { id: 'readAudit', summary: 'What administrators did, the newest first' },
  },
} as const satisfies WordsOf<
  'read-users' | 'ban-user' | 'unban-user' | 'read-all-jobs' | 'cancel-job' | 'read-audit'
>;
