import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import type { Coding } from './reference-file.ts';

/** `small` takes seconds for a megabyte and is for what is packed once; `soon` takes a moment. */
export type Effort = 'small' | 'soon';

const brotliQuality: Readonly<Record<Effort, number>> = { small: 11, soon: 4 };
const gzipLevel: Readonly<Record<Effort, number>> = { small: 9, soon: 4 };

export function packBytes(bytes: Uint8Array, coding: Coding, effort: Effort): Uint8Array {
  switch (coding) {
    case 'br':
      return brotliCompressSync(bytes, {
        params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality[effort] },
      });
    case 'gzip':
      return gzipSync(bytes, { level: gzipLevel[effort] });
    case 'identity':
      return bytes;
  }
}
