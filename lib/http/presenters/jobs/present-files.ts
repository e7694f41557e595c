import type { FetchedFile } from '#lib/files/results/job-file.ts';
import type { RemoteFile } from '#lib/hpc/connector.ts';
import { type ApiResponse, okFile, seeOther } from '../../respond.ts';

export function presentFile({ id, name, bytes }: RemoteFile) {
  return { fileid: id, filename: name, length: bytes };
}

export function sendFile(file: FetchedFile): ApiResponse {
  return file.kind === 'bytes' ? okFile(file.name, file.bytes) : seeOther(file.address);
}
