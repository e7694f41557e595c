import { createHash } from 'node:crypto';
import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import { isJobId, type JobId } from '#lib/catalog/identifiers.ts';
import { keptFolderOf } from '#lib/catalog/project-folders.ts';
import type {
  Connector,
  FolderPlace,
  PageWish,
  ProjectFolders,
  RemoteFile,
} from '#lib/hpc/connector.ts';
import type { ProjectKey } from '#lib/table/keys.ts';
import { FolderNotFoundError, FolderOutOfReachError, ObjectNotFoundError } from '../errors.ts';
import { folderListKey } from '../object-keys.ts';
import { choosePage, type FileSource } from '../results/job-file.ts';
import { openRemoteFiles } from '../results/open-file-source.ts';
import type { RelayStores } from '../results/relay-files.ts';
import { type MeasuredFolder, noteFolderSize, readFolderSize } from './folder-size.ts';

export interface FolderStores extends RelayStores {
  /** Called only if the system has to be asked. */
  readonly connect: () => Promise<Connector>;
}

/** The folder of a project, as the service sees it. */
export interface ProjectFolder extends Pick<FileSource, 'page' | 'fetch'> {
  readonly maxBytes: number;
  /** False if only jobs see it, and say at their end what is in it. */
  readonly isInReach: boolean;
  /** Looks at it, where the service can. Undefined if no job has told yet. */
  measure(): Promise<MeasuredFolder | undefined>;
  /** Returns what is left. */
  remove(fileId: string): Promise<MeasuredFolder>;
  empty(): Promise<MeasuredFolder>;
}

/** Opens the folder of a project. Throws if the catalog gives it none. */
export async function openFolder(
  system: HpcSystem,
  place: FolderPlace,
  stores: FolderStores,
): Promise<ProjectFolder> {
  const { table, connect } = stores;
  const key = { hpc: system.name, project: place.project };
  const kept = keptFolderOf(system, place.project);
  if (!kept) throw new FolderNotFoundError(key);
  const { folders } = await connect();
  if (!folders) return openToldFolder(stores, key, kept.maxBytes);
  const measure = async () => noteFolderSize(table, key, await folders.measure(place), new Date());
  return {
    ...openRemoteFiles(async () => asFilesOfJob(folders, place), nameRelays(place, key), stores),
    maxBytes: kept.maxBytes,
    isInReach: true,
    measure,
    remove: (fileId) => folders.remove(place, fileId).then(measure),
    empty: () => folders.empty(place).then(measure),
  };
}

/** What jobs told of a folder that the service does not see. */
function openToldFolder(
  { table, results }: RelayStores,
  key: ProjectKey,
  maxBytes: number,
): ProjectFolder {
  const refuse = async () => {
    throw new FolderOutOfReachError(key);
  };
  return {
    maxBytes,
    isInReach: false,
    page: async (wish) => choosePage(await readTold(results, key), wish),
    measure: () => readFolderSize(table, key),
    fetch: refuse,
    remove: refuse,
    empty: refuse,
  };
}

/** Reads the list that a job sent last: of each file its size, a space, its path and a NUL. */
async function readTold(
  results: RelayStores['results'],
  key: ProjectKey,
): Promise<readonly RemoteFile[]> {
  try {
    const text = Buffer.from(await results.read(folderListKey(key))).toString();
    return text.split('\0').flatMap((entry) => {
      const [, bytes, name = ''] = /^([0-9]+) (.+)$/s.exec(entry) ?? [];
      return bytes === undefined ? [] : [{ id: '', name, bytes: Number(bytes) }];
    });
  } catch (error) {
    if (error instanceof ObjectNotFoundError) return [];
    throw error;
  }
}

/** Files of a folder are read like those of a job whose files still change. */
function asFilesOfJob(folders: ProjectFolders, place: FolderPlace) {
  const { listPage } = folders;
  return {
    listFiles: () => folders.list(place),
    ...(listPage && { listPage: (_: unknown, wish: PageWish) => listPage(place, wish) }),
    findFile: (_: unknown, fileId: string) => folders.find(place, fileId),
    openFile: (_: unknown, fileId: string) => folders.open(place, fileId),
  };
}

/** Copies of large files are counted like those of a job, which needs a name that no job has. */
function nameRelays({ owner, login }: FolderPlace, { hpc, project }: ProjectKey) {
  const hash = createHash('sha256').update(`${hpc}/${project}`).digest('hex').toUpperCase();
  return { jobId: requireJobId(`FOLDER-${hash}`), owner, login, handle: '', ended: false };
}

function requireJobId(text: string): JobId {
  if (!isJobId(text)) throw new Error(`'${text}' is no job id.`);
  return text;
}
