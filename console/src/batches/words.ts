import { createPhrase } from '#client/src/words/language.ts';
import { createRich } from '../language/rich.ts';

export const batches = {
  noneYet: 'No batches yet.',
  dropForMany:
    'A batch is many jobs that you submit as one, such as a parameter sweep. {drop}, and choose many jobs in the form.',
  dropFolder: 'Drop a folder',
  showOlder: 'Show older batches',

  untitled: 'Untitled batch',
  progress: 'Progress',
  jobOf: 'Job {job} of {all}',
  chooseCell: 'Choose a cell to see the end of its output.',
  cell: '{job}: {state}',
  index: 'Index',
  indexOf: 'index {index}',
  showOutput: 'Show output',
  noSuchIndex: 'No job has this index yet.',
  chosenJob: 'Chosen job',
  close: 'Close',
  failed: 'Failed',
  showMoreOf: 'Show more of {count}',
  endOf: 'The end of {file}',
  emptyFile: 'This file is empty.',
  openJob: 'Open this job with all its files',

  jobsByState: 'Jobs by state',
  all: 'all',
  jobsSoFar: '{jobs} so far. The others are being created.',

  useResults: 'Use these results',
  runAgainFailed: 'Run the failed again',
  askRunAgain: 'Run {jobs} again?',
  runAgain: 'Run again',
  submitted: 'Batch submitted.',
  failedBecomeBatch:
    'The failed jobs become a batch of their own, with the same zip and the same values. Time is reserved for them again.',
  cancelBatch: 'Cancel batch',
  askCancel: 'Cancel {batch}?',
  beingCancelled: 'The batch is being cancelled.',
  willStop: {
    one: '{count} job will stop and cannot be resumed. They hold {time}.',
    other: '{count} jobs will stop and cannot be resumed. They hold {time}.',
  },
  allReturned: 'All of it is returned.',
  restReturned:
    'You are charged for the time that running jobs have used so far. The rest is returned.',
  endedKeepOutput:
    'Jobs that have ended keep their output. The zip of the batch is removed, so failed jobs can then only be run again with a new submission.',
  deleteBatch: 'Delete batch',
  askDelete: 'Delete {batch}?',
  beingDeleted: 'The batch is being deleted.',
  filesDeleted: 'The files of its {jobs} and its zip are deleted for good.',
  filesDeletedFreeing:
    'The files of its {jobs} and its zip are deleted for good, and {space} are free again.',
  staysListed: 'The batch stays in your lists with what it used.',

  details: 'Details',
  atOnce: 'At once',
  asManyAsRun: 'as many as the system runs',
  limitOfEach: 'Time limit of each',
  hours: '{count} hours',
  submittedAt: 'Submitted',
  endedAt: 'Ended',
  notYet: 'not yet',
  quota: 'Quota',
  reserved: 'Reserved',
  used: 'Used',
  seconds: '{count} seconds',
  spaceOfZip: 'Space of the zip',
} as const;

export const phrase = createPhrase('batches', batches);
export const rich = createRich('batches', batches);
