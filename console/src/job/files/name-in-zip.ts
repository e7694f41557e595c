import { writeShortId } from '#client/src/format/write-short-id.ts';
import type { Job } from '#client/src/index.ts';

/** A name that stays below the folder into which the zip is unpacked, whatever a job wrote. */
export function nameInZip(filename: string): string {
  const parts = filename.split(/[/\\]/).filter((part) => !/^\.{0,2}$/.test(part));
  return parts.length === 0 ? 'file' : parts.join('/');
}

/** A folder for each job, by its title and by what tells it from others of that title. */
export function nameFolder({ title, job_id: id }: Pick<Job, 'title' | 'job_id'>): string {
  const said = title.replaceAll(/[^\p{L}\p{N}._-]+/gu, '-').replaceAll(/^[-.]+|[-.]+$/g, '');
  return [said, writeShortId(id)].filter((part) => part !== '').join('-');
}
