import type { KindName } from '#lib/catalog/kinds/system-kinds.ts';
import type { Scene } from './scene.ts';
import { scenes } from './scenes.ts';

/** For each kind the scenes that it cannot have, each with the reason. */
export const lacks: Readonly<Record<KindName, Readonly<Record<string, string>>>> = {
  simulator: {
    'input-unpacked': 'It runs no command, so nothing is unpacked.',
    'unsafe-input': 'It runs no command, so nothing is unpacked.',
    'data-sets': 'It runs no command.',
    'project-folder': 'It runs no command.',
    'fetched-inputs': 'It runs no command.',
    'sent-outputs': 'It runs no command.',
    'inputs-by-service': 'It runs no command.',
    study: 'It runs no command.',
    'exit-code': 'It runs no command.',
    'command-missing': 'It runs no command.',
    'over-time': 'It needs at most the time that a job was granted.',
    'too-much-memory': 'It runs no command.',
    'large-and-many-results': 'It runs no command, so a job writes no files of its own.',
    'names-that-hurt': 'It runs no command, so a job writes no files of its own.',
    'percent-signs': 'It runs no command, so a job writes no files of its own.',
    'started-again': 'A job has one course, which is known from its beginning.',
    'lost-and-started-again': 'A job has one course, which is known from its beginning.',
    suspended: 'Nobody can suspend a simulated job.',
    'suspended-for-long': 'Nobody can suspend a simulated job.',
    'cleaned-up':
      'Its jobs are records in the table of the service, which stay there like all jobs.',
    idle: 'A health check calls nothing outside of this process.',
  },
  machine: {
    'started-again': 'It starts no job twice. A job whose machine stops has failed.',
    'lost-and-started-again': 'It starts no job twice. A job whose machine stops has failed.',
    suspended: 'It has no suspension.',
    'suspended-for-long': 'It has no suspension.',
    idle: 'A health check calls nothing outside of this process.',
  },
  slurm: {},
  batch: {
    'started-again':
      'Nobody can requeue a job. AWS Batch repeats only runs whose host was reclaimed.',
    suspended: 'AWS Batch has no suspension.',
    'suspended-for-long': 'AWS Batch has no suspension.',
  },
  unicore: {
    'project-folder':
      'The connector knows only the directories that UNICORE makes for jobs, and a catalog cannot give it folders of projects.',
    'percent-signs':
      'UNICORE answers 400 to an address with an encoded percent sign, so nobody can fetch such a file.',
  },
  nsg: {
    'unsafe-input': 'NSG unpacks the zip by rules of its own.',
    'data-sets': 'NSG hands no variables to a tool.',
    study: 'NSG hands no variables to a tool.',
    'project-folder':
      'NSG keeps the files of a job apart, and has no place for those of a project.',
    'fetched-inputs': 'NSG fetches nothing for a tool, so the service always does.',
    'sent-outputs': 'NSG sends nothing for a tool.',
    'exit-code': 'NSG reports whether the platform failed, not how the program ended.',
    'command-missing': 'NSG reports whether the platform failed, not how the program ended.',
    'over-time': 'NSG reports whether the platform failed, not why the program ended.',
    'too-much-memory': 'A job cannot ask for memory, and NSG does not tell why a program ended.',
    'started-again': 'NSG does not tell how often its cluster started a job.',
    'lost-and-started-again': 'NSG does not tell how often its cluster started a job.',
    suspended: 'NSG has no suspension.',
    'suspended-for-long': 'NSG has no suspension.',
  },
};

/** The scenes that a kind has. */
function scenesOf(kind: KindName): readonly Scene[] {
  return scenes.filter(({ name }) => !(name in lacks[kind]));
}

export const shortScenesOf = (kind: KindName) => scenesOf(kind).filter(({ isLong }) => !isLong);

export const longScenesOf = (kind: KindName) => scenesOf(kind).filter(({ isLong }) => isLong);

/** Who plays the system: the system itself, an imitation, or an imitation and a real one. */
export const playedBy: Readonly<Record<KindName, 'itself' | 'imitation' | 'both'>> = {
  simulator: 'itself',
  machine: 'itself',
  slurm: 'both',
  batch: 'imitation',
  unicore: 'both',
  nsg: 'imitation',
};

const noBatchSystem = 'The real UNICORE/X of the suite has no batch system behind it.';
const noEnd =
  'The real UNICORE/X of the suite ends only the outer shell of an aborted job, so its command runs on.';

/** Scenes that only an imitation of a system can play, each with the reason. */
export const onlyImitated: Readonly<Partial<Record<KindName, Readonly<Record<string, string>>>>> = {
  slurm: {},
  unicore: {
    'too-much-memory': noBatchSystem,
    'started-again': noBatchSystem,
    'lost-and-started-again': noBatchSystem,
    suspended: noBatchSystem,
    'suspended-for-long': noBatchSystem,
    'cancelled-while-queued': noBatchSystem,
    'away-for-longer': noBatchSystem,
    'cancelled-while-running': noEnd,
    'cancelled-while-away': noEnd,
    'cancelled-while-handed-over': noEnd,
  },
};

/** The scenes that a real system of a kind plays. */
export function realScenesOf(kind: KindName): readonly Scene[] {
  return scenesOf(kind).filter(({ name }) => !(name in (onlyImitated[kind] ?? {})));
}
