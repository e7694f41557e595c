import { findLogin } from './find-login.ts';
import { findGroups, nameOfGroup, removeGroups } from './processes/job-groups.ts';
import { openTree, type ProcessTree } from './processes/process-tree.ts';
import {
  type FolderExit,
  type FolderHeartbeat,
  type FolderStarted,
  folderVersion,
  writeExit,
} from './record/job-folder.ts';
import { isRunning, readBootId } from './record/process-mark.ts';
import {
  readClaim,
  readExit,
  readHeartbeat,
  readOrder,
  readStarted,
} from './record/read-folder.ts';

export type ObservedJob =
  /** Nobody has claimed it. */
  | { readonly state: 'waiting' }
  /** Its shepherd has claimed it, and the command starts any moment. */
  | { readonly state: 'starting' }
  | {
      readonly state: 'running';
      readonly started: FolderStarted;
      readonly heartbeat: FolderHeartbeat | undefined;
    }
  | { readonly state: 'ended'; readonly exit: FolderExit };

/**
 * Reads how a job stands. If its shepherd is gone without having written an end, ends the processes
 * that are left and records the job as lost, so that no job runs unwatched.
 */
export async function observeJob(folder: string, jobId: string): Promise<ObservedJob> {
  // The processes first: a job that ends between the two reads has written its end by the second.
  const claim = readClaim(folder);
  const started = readStarted(folder);
  const watched = claim !== undefined && isRunning(claim.by, claim.bootId);
  const exit = readExit(folder);
  if (exit !== undefined) return { state: 'ended', exit };
  if (claim === undefined) return { state: 'waiting' };
  if (!watched) return { state: 'ended', exit: await recordLoss(folder, jobId, claim.bootId) };
  if (started === undefined) return { state: 'starting' };
  return { state: 'running', started, heartbeat: readHeartbeat(folder) };
}

async function recordLoss(folder: string, jobId: string, bootId: string): Promise<FolderExit> {
  const started = readStarted(folder);
  const machineStopped = bootId !== readBootId();
  // Process ids of an earlier start of the machine mean nothing today.
  const groups = machineStopped ? [] : (started?.groups ?? guessGroups(folder, jobId));
  const tree = openTreeOf(folder, groups);
  if (started !== undefined && !machineStopped) tree.add(started.job);
  await tree.end({ graceMs: 0 });
  await removeGroups(groups);
  const heartbeat = readHeartbeat(folder);
  const lost: FolderExit = {
    version: folderVersion,
    cause: 'lost',
    ...(machineStopped && { machineStopped }),
    code: null,
    signal: null,
    reason: machineStopped
      ? 'The machine stopped while the job ran.'
      : 'The process that watched the job was killed.',
    startedAt: started?.at ?? null,
    endedAt: heartbeat?.at ?? started?.at ?? new Date().toISOString(),
    seconds: heartbeat?.seconds ?? 0,
  };
  return writeExit(folder, lost) ? lost : (readExit(folder) ?? lost);
}

/** Opens the processes of a job from outside of its shepherd. */
export function openTreeOf(folder: string, groups: readonly string[]): ProcessTree {
  const { mark, login } = readOrder(folder) ?? {};
  const uid = login === undefined ? process.getuid?.() : findLogin(login)?.uid;
  return openTree({ mark, uid, groups });
}

/** The shepherd may have been killed before it wrote which groups it had made. */
function guessGroups(folder: string, jobId: string): string[] {
  return findGroups(readOrder(folder)?.limits.level ?? 'watched', nameOfGroup(jobId));
}
