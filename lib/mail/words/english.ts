import { writeMoment } from '#lib/time/write-moment.ts';
import { usualLanguage } from './languages.ts';

/** The unit of a quota's time. The command reads it in every language. */
export type ChargedUnit = 'hour' | 'node-hour' | 'core-hour' | 'charged hour';

/** What mails say. A translation has the same keys, which its type demands. */
export const english = {
  code: usualLanguage,
  /** The locale of numbers. */
  digits: 'en-US',
  moment: writeMoment,
  month: (month: Date) =>
    month.toLocaleString('en-US', { month: 'long', year: 'numeric', timeZone: 'UTC' }),
  hours: (hours: string, unit: ChargedUnit) => `${hours} ${unit}${hours === '1' ? '' : 's'}`,
  timeAndSpace: (time: string, space: string) => `${time} and ${space}`,
  nothing: 'nothing',
  leftOf: (left: string, granted: string) => `${left} of ${granted}`,
  quoted: (title: string) => `'${title}'`,
  place: (project: string, hpc: string) => `${project} on ${hpc}`,

  jobFailed: (job: string) => `Job ${job} failed`,
  jobSuccessful: (job: string) => `Job ${job} was successful`,
  jobCancelled: (job: string) => `Job ${job} was cancelled`,
  jobDeleted: (job: string) => `Job ${job} was deleted`,
  jobEnded: (job: string) => `Job ${job} has ended`,
  stage: 'Stage',
  submitted: 'Submitted',
  batchEnded: (batch: string, counts: string) => `Batch ${batch} has ended: ${counts}`,
  successful: (done: number, all: number) => `${done} of ${all} successful`,
  failed: (count: number) => `${count} failed`,
  cancelled: (count: number) => `${count} cancelled`,

  timeLow: (percent: number, project: string) =>
    `Only ${percent} % of the time is left in ${project}`,
  spaceLow: (percent: number, project: string) =>
    `Only ${percent} % of the space is left in ${project}`,
  noTime: (project: string) => `No time is left in ${project}`,
  noSpace: (project: string) => `No space is left in ${project}`,
  remaining: 'Remaining',

  approved: (project: string) => `Your request in ${project} was approved`,
  declined: (project: string) => `Your request in ${project} was declined`,
  askedFor: 'You asked for',
  given: 'You get',
  validUntil: 'Valid until',
  reason: 'Reason',

  paused: (hpc: string) => `${hpc} is paused`,
  maintenance: (hpc: string) => `Maintenance of ${hpc} is coming`,
  from: 'From',
  until: 'Until',
  untilResumed: 'until it is resumed',
  yourJobs: 'Your jobs',
  handedOver: 'Those that wait here are handed over afterwards.',

  statement: (project: string, month: string) => `Statement of ${project} for ${month}`,
  opening: 'Opening balance',
  granted: 'Granted',
  expired: 'Expired',
  corrections: 'Corrections',
  used: 'Used by jobs that ended',
  reserved: 'Reserved for jobs that have not ended',
  closing: 'Closing balance',

  system: 'System',
  project: 'Project',
  withCommand: 'With the command',
  footer: 'You get this mail because you asked Slipway to notify you.',
  stop: 'Stop these mails',
  more: (count: number) => `${count} more`,
  andMore: (count: number) => `And ${count} more, which this mail has no room for.`,
  seeJobs: 'See your jobs',

  /** Of each topic the line of a digest, the label of the moment, and what to do next. */
  topics: {
    'job.ended': {
      count: (count: number) => (count === 1 ? '1 job has ended' : `${count} jobs have ended`),
      when: 'Ended',
      act: 'See the job',
    },
    'batch.ended': {
      count: (count: number) => (count === 1 ? '1 batch has ended' : `${count} batches have ended`),
      when: 'Ended',
      act: 'See the batch',
    },
    'quota.low': {
      count: (count: number) =>
        count === 1 ? '1 quota is running low' : `${count} quotas are running low`,
      when: 'Since',
      act: 'Ask for more',
    },
    'request.decided': {
      count: (count: number) =>
        count === 1 ? '1 request was decided' : `${count} requests were decided`,
      when: 'Decided',
      act: 'See your requests',
    },
    'system.maintenance': {
      count: (count: number) =>
        count === 1 ? '1 maintenance is coming' : `${count} maintenances are coming`,
      when: 'Announced',
      act: 'See your jobs',
    },
    'project.statement': {
      count: (count: number) =>
        count === 1 ? '1 statement is final' : `${count} statements are final`,
      when: 'As of',
      act: 'See the statement',
    },
  },

  confirmSubject: 'Confirm your address for Slipway',
  confirmHeadline: 'Confirm your address',
  somebodyAsked: (host: string) =>
    `Somebody with an account at ${host} wants Slipway to send notifications about their jobs to this address.`,
  confirmWithin: (days: number) => `If that was you, confirm the address within ${days} days:`,
  confirm: 'Confirm address',
  otherwise: 'If it was not you, ignore this mail. Without the confirmation, nothing is sent.',
};

/** The words of one language for mails: texts, and functions where a text has parameters. */
export type MailWords = typeof english;

/** What the pages behind the links of mails say. Their words are HTML. */
export const englishPages = {
  confirm: {
    title: 'Confirm your address',
    words: 'Slipway will send your notifications to it.',
    button: 'Confirm address',
  },
  confirmed: { title: 'Address confirmed', words: 'Slipway will send your notifications to it.' },
  unsubscribe: {
    title: 'Stop all mails?',
    words: 'Slipway will send no more mails to this address.',
    button: 'Stop all mails',
  },
  unsubscribed: {
    title: 'You are unsubscribed',
    words: 'Slipway sends no more mails to this address. You can change that in your preferences.',
  },
  linkNotValid: {
    title: 'This link no longer works',
    words:
      'It has expired, or you have chosen another address since. Open your notification preferences in the console, or run <code>slipway notifications</code>, to see your address and get a new link.',
  },
};

export type PageWords = typeof englishPages;
