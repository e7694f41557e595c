import { readFileSync } from 'node:fs';
import { extname } from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildConsole } from './build-console.ts';

/** Bytes of what a browser loads, compressed as it is sent. */
export interface ConsoleWeight {
  readonly script: number;
  readonly style: number;
}

/** All of it, also what only some pages load. */
export async function weighConsole(folder: string): Promise<ConsoleWeight> {
  const { outputs } = await buildConsole(folder);
  const weigh = (extension: string) =>
    Object.keys(outputs)
      .filter((path) => extname(path) === extension)
      .reduce((sum, path) => sum + gzipSync(readFileSync(path), { level: 9 }).length, 0);
  return { script: weigh('.js'), style: weigh('.css') };
}
