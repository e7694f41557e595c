import { existsSync } from 'node:fs';
import { runningVersion } from '#lib/telemetry/running-version.ts';
import { serverCommands } from './server-commands.ts';

const usual = '/etc/slipway/slipway.env';

const list = Object.entries(serverCommands)
  .map(([name, { about }]) => `  ${name.padEnd(16)}${about}`)
  .join('\n');

const help = `Slipway on a server of your own (docs/on-premises.md).

  slipway-server [--settings FILE] COMMAND [OPTIONS]

${list}

  --settings   the file with the settings, one NAME=value per line (example: etc/slipway.env).
               Default: ${usual} if it exists. Variables of the environment win
  --version    prints the version
  --help       prints this help, or after a command that of the command
`;

/** Runs a command of `slipway-server` with the settings of a file. */
export async function runServer(given: readonly string[]): Promise<void> {
  const [first = '--help', ...rest] = given;
  if (first === '--help' || first === '-h') {
    process.stdout.write(help);
  } else if (first === '--version') {
    process.stdout.write(`${runningVersion}\n`);
  } else if (first === '--settings') {
    const [file, name = '--help', ...options] = rest;
    if (file === undefined) throw new Error('Name the file: --settings FILE COMMAND');
    await runCommand(name, options, file);
  } else {
    await runCommand(first, rest, existsSync(usual) ? usual : undefined);
  }
}

async function runCommand(
  name: string,
  options: readonly string[],
  settings: string | undefined,
): Promise<void> {
  const command = Object.entries(serverCommands).find(([each]) => each === name)?.[1];
  if (!command) throw new Error(`There is no command '${name}'. See: slipway-server --help`);
  if (settings !== undefined && !options.includes('--help')) readSettings(settings);
  process.argv.splice(2, process.argv.length, ...options);
  await import(new URL(`../../${command.file}.ts`, import.meta.url).href);
}

function readSettings(file: string): void {
  try {
    process.loadEnvFile(file);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `The settings in ${file} cannot be read (${reason}). Run this as an account that may read them, such as the service's: runuser -u slipway -- slipway-server ...`,
    );
  }
}
