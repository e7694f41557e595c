import { Command } from '@commander-js/extra-typings';
import manifest from '../../package.json' with { type: 'json' };
import { createAsk, createRequests } from './account/ask.ts';
import { createLedger } from './account/ledger.ts';
import { createLogin, createLogout } from './account/login.ts';
import { createQuotas } from './account/quotas.ts';
import { createUsage } from './account/usage.ts';
import { createAdmin } from './admin/admin.ts';
import { createCompletion } from './completion/completion.ts';
import type { Host } from './host/host.ts';
import { createCancel, createRemove } from './jobs/end/cancel.ts';
import { createDownload } from './jobs/files/download.ts';
import { createFiles } from './jobs/files/files.ts';
import { createLogs } from './jobs/follow/logs.ts';
import { createWait } from './jobs/follow/wait.ts';
import { createJob } from './jobs/list/job.ts';
import { createJobs } from './jobs/list/jobs.ts';
import { createSubmit } from './jobs/submit/submit.ts';
import { createMcp } from './mcp/mcp.ts';
import { createOverview } from './service/overview.ts';
import { createStatus } from './service/status.ts';
import { createSystems } from './service/systems.ts';
import { createWebhooks } from './service/webhooks.ts';
import type { Open } from './session/open.ts';
import { prepareParser } from './session/prepare-parser.ts';
import { readTimeOption } from './session/read-options.ts';
import { writeExamples } from './session/write-examples.ts';

/** In the order in which somebody needs them, under a heading for each of their wishes. */
const rooms = {
  'Jobs:': [
    createSubmit,
    createJobs,
    createJob,
    createWait,
    createLogs,
    createCancel,
    createRemove,
  ],
  'Files:': [createFiles, createDownload],
  'What you have:': [createQuotas, createLedger, createUsage, createAsk, createRequests],
  'The service:': [
    createLogin,
    createLogout,
    createSystems,
    createStatus,
    createWebhooks,
    createCompletion,
    createMcp,
  ],
  'For administrators:': [createAdmin],
} as const;

export function createProgram(host: Host, open: Open) {
  const program = new Command('slipway')
    .description('Submit jobs to HPC systems, follow them, and see what is left of your quotas.')
    .version(manifest.version, '-V, --version', 'which version it is')
    .option('--profile <name>', 'whom to act as, of those that have signed in')
    .option('--json', 'what the service answered, for programs')
    .option('--timeout <time>', 'how long to wait for one answer (default: 40s)', readTimeOption)
    .addHelpText(
      'after',
      writeExamples(
        'slipway login --local',
        'slipway submit hpc_one ./my-study --command "python3 main.py" --wait',
        'slipway                      what runs, and what is left',
      ),
    );
  program.addCommand(createOverview(open), { hidden: true });
  for (const [heading, makers] of Object.entries(rooms)) {
    program.commandsGroup(heading);
    for (const make of makers) program.addCommand(make(open));
  }
  prepareParser(program, host);
  return program;
}
