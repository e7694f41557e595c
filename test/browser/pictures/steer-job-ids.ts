import crypto, { createHash, randomBytes, randomUUID, type UUID } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

export interface SteeredJobIds {
  /** The next job gets the id that follows from this text. */
  begin(text: string): void;
}

/** Ids of jobs are the same each time, so that a picture changes only if the console has. */
export function steerJobIds(): SteeredJobIds {
  let next = '';
  const chance = { randomUUID, randomBytes };
  // Many others ask for chance at the same time: whoever makes an id of a job is known by its file.
  const isForJob = () => new Error().stack?.includes('/lib/jobs/job-id.ts') ?? false;
  const hash = () => createHash('sha256').update(next).digest();
  Object.assign(crypto, {
    randomUUID: () => (isForJob() ? writeUuid(hash().toString('hex')) : chance.randomUUID()),
    randomBytes: (size: number) =>
      isForJob() ? hash().subarray(0, size) : chance.randomBytes(size),
  });
  syncBuiltinESMExports();
  return {
    begin(text) {
      next = text;
    },
  };
}

function writeUuid(hex: string): UUID {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
