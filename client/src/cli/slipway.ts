import { runCommand } from './program.ts';
import { processHost } from './terminal/host.ts';

// A pipe that is closed early (`slipway jobs | head`) is not a failure.
process.stdout.on('error', () => process.exit(0));

process.exitCode = await runCommand(process.argv.slice(2), processHost);
