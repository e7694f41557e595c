import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { exitWith } from '../run-tool.ts';
import { suites } from './suites.ts';

const width = Math.max(...Object.keys(suites).map((name) => name.length));

const help = `Runs a suite of tests that is no part of npm test (docs/development.md).

  npm run suite -- NAME [options of the suite]

${Object.entries(suites)
  .map(([name, { about }]) => `  ${name.padEnd(width)}  ${about}\n`)
  .join('')}`;

await exitWith(async () => {
  const [, , name = '--help', ...given] = process.argv;
  if (name === '--help' || name === '-h') {
    process.stdout.write(help);
    return 0;
  }
  const suite = suites[name];
  if (!suite)
    throw new Error(`There is no suite ${name}. Known: ${Object.keys(suites).join(', ')}.`);
  // What a person gives is passed beside the text that the shell reads.
  const child = spawn('sh', ['-c', `exec env ${suite.run} "$@"`, name, ...given], {
    stdio: 'inherit',
  });
  // Ctrl-C reaches the child too, and its end is waited for.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  const [code] = await once(child, 'exit');
  return code ?? 1;
});
