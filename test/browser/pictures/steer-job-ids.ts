import crypto, { createHash, randomBytes, randomUUID, type UUID } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

export interface SteeredJobIds {
  /** Derives the id of the next job from a text. */
  begin(text: string): void;
}

/** Makes job ids the same each time, so that a picture changes only if the console does. */
export function steerJobIds(): SteeredJobIds {
  let next = '';
  const chance = { randomUUID, randomBytes };
  // Other code needs random values at the same time, so only the caller's file tells.
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
