import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** An ES module as Lambda's own runtime is, which requires or imports the file it is given. */
const program = `
import { createRequire } from 'node:module';
const [, , file] = process.argv;
const require = createRequire(import.meta.url);
const start = process.cpuUsage();
if (file.endsWith('.mjs')) await import(file);
else require(file);
const { user, system } = process.cpuUsage(start);
process.stdout.write(String((user + system) / 1000));
process.exit(0);
`;

/**
 * Times the import of a file, each in a fresh process with its own environment: in milliseconds of
 * processor time, because what the machine does beside it is not in that. On a machine that does
 * nothing else the clock shows the same ratios to within 0.03.
 */
export function openImportTimer(
  directory: string,
): (file: string, environment: Readonly<Record<string, string>>) => number {
  const timer = join(directory, 'time-import.mjs');
  writeFileSync(timer, program);
  return (file, environment) =>
    Number(execFileSync(process.execPath, [timer, file], { env: environment, encoding: 'utf8' }));
}
