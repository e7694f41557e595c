import * as v from 'valibot';
import { readEnvironment } from '#lib/config.ts';
import { flag, runTool, text } from '../run-tool.ts';
import { StepFailedError, tellSteps } from '../tell-steps.ts';
import { checkService, explainFailure } from './check-service.ts';

const help = `Tests a running service as a user: status, token, dry run, a job to its end, its files and the ledger.
Prints a line with the time of each step.

  SLIPWAY_TOKEN=... npm run smoke -- --base-url URL [--hpc NAME] [--program TEXT] [--seconds 90] [--may-wait]

  --base-url  address of the service
  --token     token of a user; prefer SLIPWAY_TOKEN, which no process list shows
  --hpc       system to run the job on (default: the first one that takes a command)
  --program   command to run there, or the name of a tool
  --seconds   time limit of the job (default 90)
  --may-wait  accept a job that has not ended by then, for real systems with long queues

A job that has not ended in time is cancelled either way. The first failed step ends the run with exit
code 1.
`;

const TokenEnvironment = v.object({ SLIPWAY_TOKEN: v.optional(v.string()) });

const options = {
  'base-url': text,
  token: text,
  hpc: text,
  program: text,
  seconds: { type: 'string', default: '90' },
  'may-wait': flag,
} as const;

await runTool(help, options, async (values) => {
  const { 'base-url': baseUrl, seconds, hpc, program } = values;
  const token = values.token ?? readEnvironment(TokenEnvironment).SLIPWAY_TOKEN;
  if (baseUrl === undefined)
    throw new Error('--base-url is missing. Give the address of the service: --base-url URL.');
  if (!token) throw new Error('No token. Set SLIPWAY_TOKEN to the token of a user.');
  if (!/^[1-9][0-9]{0,3}$/.test(seconds))
    throw new Error('--seconds must be a whole number from 1 to 9999.');
  const settings = { baseUrl, token, hpc, program, jobSeconds: Number(seconds) };
  const step = tellSteps((line) => process.stdout.write(`${line}\n`), explainFailure);
  try {
    await checkService({ ...settings, mayWait: values['may-wait'] }, step);
    return 0;
  } catch (error) {
    // The failed step has printed its line.
    if (error instanceof StepFailedError) return 1;
    throw error;
  }
});
