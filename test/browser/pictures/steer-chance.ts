import crypto, { createHash, type UUID } from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

export interface SteeredChance {
  /** From here on what is made by chance follows from this text. */
  begin(seed: string): void;
}

/** Ids of jobs are the same each time, so that a picture changes only if the console has. */
export function steerChance(): SteeredChance {
  let seed = '';
  let count = 0;
  const next = () => {
    count += 1;
    return createHash('sha256').update(`${seed} ${count}`).digest();
  };
  crypto.randomUUID = () => writeUuid(next().toString('hex'));
  Object.assign(crypto, { randomBytes: (size: number) => next().subarray(0, size) });
  syncBuiltinESMExports();
  return {
    begin(text) {
      seed = text;
      count = 0;
    },
  };
}

function writeUuid(hex: string): UUID {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
