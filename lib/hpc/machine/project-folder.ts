import { execFile } from 'node:child_process';
import { chmodSync, chownSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type HpcSystem, runsAsOwner } from '#lib/catalog/hpc-system.ts';
import type { ProjectName } from '#lib/catalog/identifiers.ts';
import { keptFolderOf } from '#lib/catalog/project-folders.ts';
import type { FolderPlace, ProjectFolders } from '../connector.ts';
import { JobRefusedError, RemoteFileNotFoundError } from '../errors.ts';
import { findJobFile, openJobFile, removeInside } from './files/job-files.ts';
import { measureFolder } from './files/measure-folder.ts';
import type { FolderOrder } from './record/job-folder.ts';
import type { ThisMachine } from './this-machine.ts';

/** Names of systems begin with a letter, so this is none of them. */
const keptFolders = '.kept';

/**
 * Groups of folders begin here. No account of a machine has them, so only jobs that are given the
 * group can enter. systemd leaves these numbers to nobody (https://systemd.io/UIDS-GIDS).
 */
const firstGroup = 1_900_000_000;

/** Groups below are those of the system itself. */
const firstUserGroup = 1000;

type System = Pick<HpcSystem, 'name' | 'keep' | 'runsAs'>;
type Machine = Pick<ThisMachine, 'directory'>;

/** Returns where the folder of a project is, whether or not it is there, or undefined without one. */
function locateKept(
  { directory }: Machine,
  system: System,
  project: ProjectName | undefined,
): string | undefined {
  const kept = keptFolderOf(system, project);
  if (!kept || project === undefined) return undefined;
  return kept.path ?? join(directory, keptFolders, system.name, project);
}

/**
 * Makes the folder of a job's project if it is not there, and returns what the shepherd needs to know.
 * If jobs run as their owners' accounts, the folder has a group of its own, which they are given.
 */
export function prepareKept(
  machine: Machine,
  system: HpcSystem,
  project: ProjectName | undefined,
): FolderOrder['kept'] {
  const path = locateKept(machine, system, project);
  const kept = keptFolderOf(system, project);
  if (path === undefined || !kept) return undefined;
  const { maxBytes } = kept;
  const found = statSync(path, { throwIfNoEntry: false });
  if (!runsAsOwner(system)) {
    if (!found) mkdirSync(path, { recursive: true, mode: 0o700 });
    return { path, maxBytes };
  }
  if (kept.path !== undefined) return { path, maxBytes, group: requireGroup(path, found?.gid) };
  if (found && found.gid > firstGroup) return { path, maxBytes, group: found.gid };
  const group = chooseGroup(join(machine.directory, keptFolders));
  mkdirSync(path, { recursive: true, mode: 0o711 });
  // mkdir takes away what the umask of the service does.
  for (const above of [dirname(path), dirname(dirname(path))]) chmodSync(above, 0o711);
  chownSync(path, 0, group);
  chmodSync(path, 0o2770);
  return { path, maxBytes, group };
}

/** Groups of the system itself would give a job more than the folder. */
function requireGroup(path: string, group: number | undefined): number {
  if (group !== undefined && group >= firstUserGroup) return group;
  const fault = group === undefined ? 'is not there' : 'belongs to a group of the system';
  throw new JobRefusedError(
    `The folder of the project ${fault}. Ask an administrator to make ${path}, with a group of its own.`,
  );
}

/** Returns a group that no folder here has. Nothing else runs in this process meanwhile. */
function chooseGroup(root: string): number {
  const systems = listNames(root).map((name) => join(root, name));
  const folders = systems.flatMap((path) => listNames(path).map((name) => join(path, name)));
  return Math.max(firstGroup, ...folders.map((path) => statSync(path).gid)) + 1;
}

function listNames(path: string): string[] {
  return statSync(path, { throwIfNoEntry: false }) ? readdirSync(path) : [];
}

const run = promisify(execFile);

const mostFiles = 10_000;

/** What the service does with the folders of projects on its machine. */
export function openKeptFolders(system: HpcSystem, findMachine: () => ThisMachine): ProjectFolders {
  const locate = ({ project }: FolderPlace) => {
    const folder = locateKept(findMachine(), system, project);
    if (folder === undefined) throw new RemoteFileNotFoundError();
    return { folder, isProject: true };
  };
  return {
    measure: async (place) => measureFolder(locate(place).folder),
    list: async (place) =>
      (await findMachine().listPage(place.owner, locate(place), { limit: mostFiles })).files,
    listPage: async (place, wish) => findMachine().listPage(place.owner, locate(place), wish),
    find: async (place, fileId) => findJobFile(locate(place), fileId),
    open: async (place, fileId) => openJobFile(locate(place), fileId),
    remove: async (place, fileId) => removeInside(locate(place), fileId),
    async empty(place) {
      // The folder itself stays, because jobs that run have it open.
      const { folder } = locate(place);
      const names = await readdir(folder).catch(() => []);
      if (names.length > 0) await run('find', [folder, '-mindepth', '1', '-delete']);
    },
  };
}
