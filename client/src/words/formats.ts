import { createPhrase } from './language.ts';

/** The words that console and command share: amounts, times, counts, and what explains them. */
export const formats = {
  'hours.wall-clock': { one: '{amount} hour', other: '{amount} hours' },
  'hours.node': { one: '{amount} node-hour', other: '{amount} node-hours' },
  'hours.core': { one: '{amount} core-hour', other: '{amount} core-hours' },
  'hours.weights': { one: '{amount} charged hour', other: '{amount} charged hours' },
  'hours.mixed': { one: '{amount} charged hour', other: '{amount} charged hours' },
  'seconds.wall-clock': { one: '{amount} second', other: '{amount} seconds' },
  'seconds.node': { one: '{amount} node-second', other: '{amount} node-seconds' },
  'seconds.core': { one: '{amount} core-second', other: '{amount} core-seconds' },
  'seconds.weights': { one: '{amount} charged second', other: '{amount} charged seconds' },
  'seconds.mixed': { one: '{amount} charged second', other: '{amount} charged seconds' },
  'unit.wall-clock': 'hours',
  'unit.node': 'node-hours',
  'unit.core': 'core-hours',
  'unit.weights': 'charged hours',
  'unit.mixed': 'charged hours',
  bytes: { one: '{amount} byte', other: '{amount} bytes' },
  leftOfGranted: '{left} of {granted}',
  under: 'under {amount}',

  'duration.s': '{amount} s',
  'duration.min': '{amount} min',
  'duration.h': '{amount} h',
  'duration.d': '{amount} d',
  // Words that people type. What the messages above print can be typed without them.
  'typed.second': 's, sec, secs, second, seconds',
  'typed.minute': 'm, min, mins, minute, minutes',
  'typed.hour': 'h, hr, hrs, hour, hours',
  'typed.day': 'd, day, days',
  'typed.week': 'w, week, weeks',
  'typed.month': 'month, months',
  'typed.year': 'year, years',
  'typed.never': 'never, no end',

  'age.now': 'now',
  'age.ago': '{span} ago',
  'age.ahead': 'in {span}',

  'count.job': { one: '{count} job', other: '{count} jobs' },
  'count.active job': { one: '{count} active job', other: '{count} active jobs' },
  'count.file': { one: '{count} file', other: '{count} files' },
  'count.node': { one: '{count} node', other: '{count} nodes' },
  'count.core': { one: '{count} core', other: '{count} cores' },
  'count.row': { one: '{count} row', other: '{count} rows' },
  'count.item': { one: '{count} item', other: '{count} items' },
  'count.field': { one: '{count} field', other: '{count} fields' },
  'count.check': { one: '{count} check', other: '{count} checks' },
  'count.warning': { one: '{count} warning', other: '{count} warnings' },

  'place.login': 'Commands run in a login shell.',
  'place.setup': 'Before each: {lines}.',
  'place.threads': 'Cores are threads of one task on each node.',
  'place.class': 'Class {name}: {text}',
  'place.simulated': 'Simulated: jobs keep time and compute nothing.',
  'place.machine': {
    one: 'Runs on the machine of the service, with {count} core.',
    other: 'Runs on the machine of the service, with {count} cores.',
  },
  'place.machineInSandbox': {
    one: 'Runs on the machine of the service, with {count} core, in a sandbox.',
    other: 'Runs on the machine of the service, with {count} cores, in a sandbox.',
  },
  'place.tools': 'Tools: {names}.',
  'place.noTools': 'Tools: none.',
  'place.notInstalled': 'Not installed: {names}.',

  'place.inputs': 'Jobs may fetch files from {hosts}.',
  'place.outputs': 'Jobs may send files to {hosts}.',

  'dataset.size': 'Size: {size}.',
  'dataset.licence': 'Licence: {licence}',

  'resources.tasks': { one: '{count} task', other: '{count} tasks' },
  'maintenance.now': '{hpc} is in maintenance until {until}. New jobs wait here until then.',
  'maintenance.paused': '{hpc} is paused. New jobs wait here until it is resumed.',
  'maintenance.coming': 'Maintenance of {hpc} from {from} to {until}.',
  'maintenance.comingOpen': 'Maintenance of {hpc} from {from}, with an open end.',
  'maintenance.reserved':
    'Slurm has reserved nodes of {hpc} for maintenance from {from} to {until}.',
  'maintenance.waits': 'The job would wait until {until}.',
  'maintenance.waitsForResumption': 'The job would wait until the system is resumed.',

  'resources.memory': '{memory} of memory',
  'resources.gpus': { one: '{count} GPU', other: '{count} GPUs' },
  'resources.gpusOfKind': { one: '{count} GPU ({kind})', other: '{count} GPUs ({kind})' },
  'resources.class': 'class {name}',

  'request.nodes': {
    one: '{nodes} with {cores}',
    other: '{nodes} with {cores} each',
  },
  'request.noInput': 'no input',

  'usage.cut':
    'You asked for {asked}, but {hpc} gives at most {given}. Jobs are stopped after that.',
  'usage.memory': '{used} of {asked} of memory',
  'usage.cores': { one: '{used} of {count} core', other: '{used} of {count} cores' },
  'usage.similar': {
    one: 'Your last job of this kind used {used} of {asked}.',
    other: 'Your last {count} jobs of this kind used at most {used} of {asked}.',
  },

  'files.notYet': 'The job has no files yet.',
  'files.deleted': 'The files of the job were deleted.',
  'files.none': 'The job left no files.',

  'ledger.request': 'request: {why}',
  'ledger.requestWithId': 'request {id}: {why}',
  'ledger.settled': '{outcome}: {used} of {held} used',
  'ledger.settledExcused':
    '{outcome}: {used} of {held} used; {waited} of waiting for the service are not charged',

  'problem.quotaTooSmall': 'The quota of {place} is too small: {shortages}.',
  'problem.timeShort': '{asked} were requested, but only {left} remain',
  'problem.spaceShort': '{asked} of space were requested, but only {left} remain',
  'problem.uploadsTooLarge':
    'This upload and your other unused ones have {size} together, but your quotas have {left} left. Submit jobs with them, or wait: each is removed 24 hours after it was created.',
  'problem.jobNotFound':
    'You have no such job here. Look for it among all jobs, by its id or title.',
  'problem.place': '{project} on {hpc}',

  'issuer.unusableAnswer': "The issuer's answer cannot be used ({message}).",
  'issuer.noIdToken': "The issuer sent no ID token. Its client needs the scope 'openid'.",
  'issuer.foreignIdToken': 'The ID token is not for this sign-in.',
  'issuer.notEncrypted': '{address} is not encrypted, so tokens could be read on their way.',
  'issuer.answered': 'It answered {status}',
  'issuer.unexpected': '{origin} did not answer as expected: {reason}.',
} as const;

/** Writes a message that console and command share in the language of the reader. */
export const phrase = createPhrase('formats', formats);
