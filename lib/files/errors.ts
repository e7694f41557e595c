import { DomainError, refusal, refusalSaying } from '#lib/errors/domain-error.ts';
import { StaleReadError } from '#lib/table/errors.ts';
import type { ProjectKey } from '#lib/table/keys.ts';

export class ObjectNotFoundError extends DomainError {
  override readonly name = 'ObjectNotFoundError';
  constructor(key: string) {
    super(`There is no object at '${key}'.`);
  }
}

/**
 * The storage did not answer, or its answer says nothing about the object. The call may be retried.
 */
export class StorageUnavailableError extends /* @__PURE__ */ refusal(
  'storage-unavailable',
  'The service cannot reach its file storage. Try again later.',
) {}

/** A file that a job names by address cannot be had. The message is for the owner of the job. */
export class InputNotFetchedError extends DomainError {
  override readonly name = 'InputNotFetchedError';
}

/** The process was asked to end while it fetched. Nothing is said about the files. */
export class FetchingInterruptedError extends DomainError {
  override readonly name = 'FetchingInterruptedError';
  constructor() {
    super('The service was stopped while it fetched files.');
  }
}

/**
 * The upload does not exist, has expired, or belongs to somebody else. The caller must not learn
 * which.
 */
export class UploadNotFoundError extends /* @__PURE__ */ refusal(
  'upload-not-found',
  'Upload not found, or older than 24 hours. Create a new one with POST /uploads/.',
) {}

/** The upload that a path names does not exist any more, or belongs to somebody else. */
export class UploadGoneError extends /* @__PURE__ */ refusal(
  'upload-gone',
  'Upload not found, or older than 24 hours. Create a new one with POST /uploads/.',
) {}

export class UploadUnfinishedError extends /* @__PURE__ */ refusalSaying(
  'upload-unfinished',
  (expected: number, found: number | undefined) =>
    found === undefined
      ? `The file for this upload has not arrived. Send its ${expected} bytes to the upload's address, then submit again.`
      : `The file for this upload has ${found} bytes, but ${expected} were announced. Create a new upload with the right length.`,
) {}

export class UploadUsedError extends /* @__PURE__ */ refusal(
  'upload-used',
  'Another job has already used this upload. Create a new one.',
) {}

/** Too many uploads are open. Submitting a job with one makes room. */
export class TooManyUploadsError extends /* @__PURE__ */ refusalSaying(
  'too-many-uploads',
  (limit: number, count: number) => ({
    message: `You have ${count} unused uploads, and at most ${limit} are allowed. Submit jobs with them, or wait: each expires 24 hours after it was created.`,
    facts: { limit, count },
  }),
) {}

/** Too large together with the open uploads, in kilobytes. */
export class UploadsTooLargeError extends /* @__PURE__ */ refusalSaying(
  'uploads-too-large',
  (limit: number, count: number) => ({
    message: `This upload and your unused ones have ${count} kilobytes together, but your quotas have only ${limit} remaining. Submit jobs with them, or wait: each expires 24 hours after it was created.`,
    facts: { limit, count },
  }),
) {}

/** A file on an HPC system that is too large to be copied to the storage. */
export class FileTooLargeError extends /* @__PURE__ */ refusalSaying(
  'file-too-large',
  (bytes: number, limit: number) =>
    `The file has ${bytes} bytes, but at most ${limit} can be downloaded here. ` +
    'Copy it from the HPC system itself, or have the job write smaller files.',
) {}

/** Waiting helps, because room comes back as the URLs of earlier files expire. */
export class TooManyDownloadsError extends /* @__PURE__ */ refusal(
  'too-many-downloads',
  'Too many large files are being downloaded at once. Try again in a few minutes, ' +
    'or download the files one after the other.',
) {}

/** Another request changed the record of a relayed file, so the decision must be made again. */
export class RelayChangedError extends StaleReadError {
  override readonly name = 'RelayChangedError';
}

/** The project has no folder there, or the caller is a stranger, who must not learn which. */
export class FolderNotFoundError extends /* @__PURE__ */ refusalSaying(
  'folder-not-found',
  ({ hpc, project }: ProjectKey) =>
    `There is no folder of the project '${project}' on '${hpc}', or you are not a member. Ask a leader of the project.`,
) {}

/** Somebody must remove files, so waiting alone does not help. */
export class FolderFullError extends /* @__PURE__ */ refusalSaying(
  'folder-full',
  ({ hpc, project }: ProjectKey, length: number, limit: number) => ({
    message: `The folder of the project '${project}' on '${hpc}' has ${length} bytes, more than the ${limit} that it may have. Delete files that nobody needs, then submit again: GET /folders/${hpc}/${project}/files/ lists them.`,
    facts: { project: { hpc, project }, length, limit },
  }),
) {}

export class FolderOutOfReachError extends /* @__PURE__ */ refusalSaying(
  'folder-out-of-reach',
  ({ hpc, project }: ProjectKey) =>
    `Only jobs reach the folder of the project '${project}' on '${hpc}', so nothing can be downloaded or deleted here. Submit a job that does it: the folder is $SLIPWAY_PROJECT_DIR there. If it is full, the command must have SLIPWAY_MAKES_ROOM in it.`,
) {}

/** An order that cannot be taken back, and that nobody gives by mistake. */
export class EmptyingUnconfirmedError extends /* @__PURE__ */ refusalSaying(
  'emptying-unconfirmed',
  ({ hpc, project }: ProjectKey, files: number, length: number) => ({
    message: `This deletes all ${files} files (${length} bytes) that the members of '${project}' keep on '${hpc}', for good, and also those that jobs use now. If you want that, repeat it with '?confirm=${project}'.`,
    facts: { project: { hpc, project }, files, length },
  }),
) {}
