import { promises } from 'node:fs';

/**
 * For `node:fs/promises`, which takes five milliseconds to load. The SDK would read the files in
 * `~/.aws` with it, of which Lambda has none. `promises` of `node:fs` is loaded with its first use.
 */
export const readFile = (path: string, encoding: BufferEncoding) =>
  promises.readFile(path, encoding);
