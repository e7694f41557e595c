import type { OpenedFile, RemoteFile, SubmittedJob } from '../connector.ts';
import { RemoteFileNotFoundError } from '../errors.ts';
import { readStatus } from './look-up-jobs.ts';
import { type NsgFile, Results, readAnswer, WorkingDirectory } from './read-answer.ts';
import { type NsgSession, unlessMissing } from './session.ts';

/** Results of an ended job have numbers; files of an active one have only names. */
export async function listJobFiles(session: NsgSession, job: SubmittedJob): Promise<RemoteFile[]> {
  const status = await readStatus(session, job);
  if (!status) return [];
  const ended = status.terminalStage === 'true';
  const files = ended ? await readResults(session, job) : await readWorkingDirectory(session, job);
  return files
    .filter(({ filename }) => isSafeName(filename))
    .map((file) => ({
      id: ended ? `output.${file.outputDocumentId}` : encodeName(file.filename),
      name: file.filename,
      bytes: /^\d+$/.test(file.length) ? Number(file.length) : 0,
    }));
}

export async function openJobFile(
  session: NsgSession,
  job: SubmittedJob,
  fileId: string,
): Promise<OpenedFile> {
  const path = `${pathOf(job)}/${findPath(fileId)}`;
  const call = session.call({ owner: job.owner, path, streams: true, plainMissing: true });
  const answer = await unlessMissing(call);
  if (!answer?.content) throw new RemoteFileNotFoundError();
  return answer.content;
}

async function readResults(session: NsgSession, job: SubmittedJob): Promise<NsgFile[]> {
  const call = session.call({ owner: job.owner, path: `${pathOf(job)}/output` });
  const answer = await unlessMissing(call);
  if (!answer) return [];
  const { results } = await readAnswer(Results, answer);
  return results === '' ? [] : results.jobfiles;
}

/** 404 until the job is staged, and again after it was cleaned up. */
async function readWorkingDirectory(session: NsgSession, job: SubmittedJob): Promise<NsgFile[]> {
  const path = `${pathOf(job)}/workingdir`;
  const answer = await unlessMissing(session.call({ owner: job.owner, path, plainMissing: true }));
  if (!answer) return [];
  const { workingdir } = await readAnswer(WorkingDirectory, answer);
  return workingdir === '' ? [] : workingdir.jobfiles;
}

function pathOf({ handle }: SubmittedJob): string {
  return `/${encodeURIComponent(handle)}`;
}

function encodeName(name: string): string {
  return `workingdir.${Buffer.from(name).toString('base64url')}`;
}

function findPath(fileId: string): string {
  const [, place, rest = ''] = /^(output|workingdir)\.([\w-]+)$/.exec(fileId) ?? [];
  if (place === 'output' && /^\d+$/.test(rest)) return `output/${rest}`;
  const name = Buffer.from(rest, 'base64url').toString();
  if (place === 'workingdir' && isSafeName(name)) return `workingdir/${encodeURIComponent(name)}`;
  throw new RemoteFileNotFoundError();
}

/** Returns a single name, not a path, that is safe to show and save. */
function isSafeName(name: string): boolean {
  const unsafe = name === '' || name === '.' || name === '..' || name.length > 255;
  return !unsafe && !/[\p{C}/\\]/u.test(name);
}
