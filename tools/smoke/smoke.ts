import * as v from 'valibot';
import { readEnvironment } from '#lib/config.ts';
import { runTool } from '../run-tool.ts';
import { checkService } from './check-service.ts';
import { StepFailedError, tellSteps } from './take-steps.ts';

const help = `Goes through a service that runs, as a user does: its status, a token, a dry run, a job to its end,
the files of that job and the ledger. For each step there is a line with its time.

  SLIPWAY_TOKEN=... npm run smoke -- --base-url URL [--hpc NAME] [--program TEXT] [--seconds 90] [--may-wait]

  --base-url  where the service is
  --token     as whom; better in SLIPWAY_TOKEN, where no list of processes shows it
  --hpc       the system to run the job on; without it, the first one that takes a command
  --program   what to run there: a command, or the name of a tool
  --seconds   how long the job has to end, 90 unless told
  --may-wait  a job that has not ended by then is no failure: for real systems, whose queues are long

A job that has not ended in time is cancelled either way. The exit code is 1 if a step failed; the
steps after it are not taken.
`;

const TokenEnvironment = v.object({ SLIPWAY_TOKEN: v.optional(v.string()) });

await runTool(
  {
    help,
    options: {
      'base-url': { type: 'string' },
      token: { type: 'string' },
      hpc: { type: 'string' },
      program: { type: 'string' },
      seconds: { type: 'string', default: '90' },
      'may-wait': { type: 'boolean', default: false },
    },
  },
  async (values) => {
    const { 'base-url': baseUrl, seconds, hpc, program } = values;
    const token = values.token ?? readEnvironment(TokenEnvironment).SLIPWAY_TOKEN;
    if (baseUrl === undefined) throw new Error('Where is the service? Say --base-url URL.');
    if (!token) throw new Error('As whom? Set SLIPWAY_TOKEN to a token of a user.');
    if (!/^[1-9][0-9]{0,3}$/.test(seconds))
      throw new Error('--seconds must be a whole number from 1 to 9999.');
    const settings = { baseUrl, token, hpc, program, jobSeconds: Number(seconds) };
    const step = tellSteps((line) => process.stdout.write(`${line}\n`));
    try {
      await checkService({ ...settings, mayWait: values['may-wait'] }, step);
      return 0;
    } catch (error) {
      // What failed has its line already.
      if (error instanceof StepFailedError) return 1;
      throw error;
    }
  },
);
