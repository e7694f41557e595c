import { UnsafeZipError, UploadNotFoundError } from '#lib/files/errors.ts';
import { isUploadId } from '#lib/files/uploads/upload.ts';
import { type FieldProblem, InvalidRequestError } from '../errors.ts';

export function parseUploadId(header: string, problems: FieldProblem[]): string | undefined {
  if (isUploadId(header)) return header;
  problems.push(blame('It must be the upload_id that POST /uploads/ answered with.'));
  return undefined;
}

/** What only a look at the upload shows is a fault of the header all the same. */
export function blameUploadId(error: unknown): never {
  if (error instanceof UnsafeZipError) throw new InvalidRequestError(error.problems.map(blame));
  if (error instanceof UploadNotFoundError) throw new InvalidRequestError([blame(error.message)]);
  throw error;
}

function blame(message: string): FieldProblem {
  return { location: 'header', name: 'Upload-Id', message };
}
