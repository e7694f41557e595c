import type { FetchedFile } from '#lib/files/results/job-file.ts';
import type { RemoteFile } from '#lib/hpc/connector.ts';
import { type ApiResponse, okFile, seeOther } from '../../respond.ts';

export function presentFile({ id, name, bytes, startsAt }: RemoteFile) {
  return {
    fileid: id,
    filename: name,
    length: bytes,
    ...(startsAt !== undefined && { starts_at: startsAt }),
  };
}

export function sendFile(file: FetchedFile): ApiResponse {
  if (file.kind === 'address') return seeOther(file.address);
  const { name, bytes, startsAt } = file;
  return okFile(name, bytes, startsAt === undefined ? {} : { 'file-starts-at': String(startsAt) });
}
