import { runCommand } from './program.ts';
import { processHost } from './terminal/host.ts';

// A pipe that is closed early (`slipway jobs | head`) is not a failure.
process.stdout.on('error', () => process.exit(0));

// Not awaited at the top level, which the single file, a CommonJS module, does not have.
void runCommand(process.argv.slice(2), processHost).then((code) => {
  process.exitCode = code;
});
