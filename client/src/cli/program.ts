import { Command } from '@commander-js/extra-typings';
import manifest from '../../package.json' with { type: 'json' };
import { createLogin, createLogout } from './account/login.ts';
import { createQuotas } from './account/quotas.ts';
import type { Host } from './host/host.ts';
import { createDownload } from './jobs/files/download.ts';
import { createWait } from './jobs/follow/wait.ts';
import { createJobs } from './jobs/list/jobs.ts';
import { createSubmit } from './jobs/submit/submit.ts';
import { createMcp } from './mcp/mcp.ts';
import type { Open } from './session/open.ts';
import { prepareParser } from './session/prepare-parser.ts';
import { writeExamples } from './session/write-examples.ts';

export function createProgram(host: Host, open: Open) {
  const program = new Command('slipway')
    .description('Submit jobs to HPC systems, follow them, and see what is left of your quotas.')
    .version(manifest.version)
    .option('--profile <name>', 'whom to act as, of those that were signed in')
    .option('--json', 'what the service answered, for programs')
    .addHelpText(
      'after',
      writeExamples(
        'slipway login --local',
        'slipway submit hpc_one ./my-study --command "python3 main.py" --wait',
      ),
    );
  const commands = [
    createLogin(open),
    createLogout(open),
    createSubmit(open),
    createJobs(open),
    createWait(open),
    createDownload(open),
    createQuotas(open),
    createMcp(open),
  ];
  for (const command of commands) program.addCommand(command);
  prepareParser(program, host);
  return program;
}
