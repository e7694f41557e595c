import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** An ES module as Lambda's own runtime is, which requires or imports the file it is given. */
const program = `
import { createRequire } from 'node:module';
const [, , file] = process.argv;
const require = createRequire(import.meta.url);
const start = process.hrtime.bigint();
if (file.endsWith('.mjs')) await import(file);
else require(file);
process.stdout.write(String(Number(process.hrtime.bigint() - start) / 1e6));
process.exit(0);
`;

/** Times the import of a file in milliseconds, each in a fresh process with its own environment. */
export function openImportTimer(
  directory: string,
): (file: string, environment: Readonly<Record<string, string>>) => number {
  const timer = join(directory, 'time-import.mjs');
  writeFileSync(timer, program);
  return (file, environment) =>
    Number(execFileSync(process.execPath, [timer, file], { env: environment, encoding: 'utf8' }));
}
