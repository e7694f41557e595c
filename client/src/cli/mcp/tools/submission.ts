import * as z from 'zod';
import { readHours } from '../../../format/times/read-hours.ts';
import type { BatchSubmission, Slipway } from '../../../index.ts';
import { contractNames } from '../../../jobs/contract-names.ts';
import type { SubmissionOnNode } from '../../../node/index.ts';
import { readWaits } from '../../submission/read-waits.ts';
import { CannotDo } from '../../terminal/outcome.ts';
import { inputFields } from './input.ts';
import { oldParameters, renameOld } from './old-parameters.ts';

const text = z.string().optional();
const whole = z.int().min(1);

/** A job, or many of them as one batch. */
const parameters = {
  hpc: z.string().describe('HPC system; systems lists them, with what each offers'),
  project: text.describe('project to charge; default: the default project of the system'),
  command: text.describe('command to run, on systems that take commands'),
  tool: text.describe('tool to run, on systems that take tools'),
  nodes: whole.default(1),
  cores: whole.default(1).describe('per node'),
  tasks: whole.optional().describe('per node; they divide its cores'),
  memory: text.describe('per node, such as 16 GB'),
  gpus: whole.optional().describe('per node'),
  gpu_kind: text,
  class: text,
  image: text.describe('container image'),
  runtime: z
    .union([z.number(), z.string()])
    .optional()
    .describe('30m, 1:30:00 or hours; default: 30m'),
  title: z.string().max(200).optional(),
  ...inputFields,
  inputs: z
    .array(z.strictObject({ from: z.string(), to: z.string(), sha256: text }))
    .optional()
    .describe('files that the job fetches: address and path, from hosts that the system allows'),
  outputs: z
    .array(z.strictObject({ files: z.string(), to: z.string() }))
    .optional()
    .describe('files that it sends at its end: pattern and address'),
  after: z
    .array(z.string())
    .optional()
    .describe('jobs and batches that must end well first, by id'),
  after_any: z.array(z.string()).optional().describe('jobs and batches that must end first, by id'),
  input_from: text.describe(
    'id of a job or batch whose results become the input; each job of a batch has its index as folder',
  ),
  input_folder: text.describe('folder for these results; default: none'),
  input_failed: z
    .enum(['refuse', 'leave_out'])
    .optional()
    .describe('what jobs of this batch do that did not end well; default: refuse'),
  count: whole
    .optional()
    .describe('makes a batch of this many jobs; {index} is the number of each, from 0'),
  table: text.describe(
    'makes a batch: a CSV file among the input files, with a job for each row; {column} is its value',
  ),
  max_running: whole.optional().describe('how many jobs of the batch run at once'),
  allow_unmatched: z.boolean().optional().describe('leave names in braces that no column has'),
  ...oldParameters,
};

/** Two ways to say the same could contradict each other. The contract has its own words. */
const taken = new Set([...Object.keys(parameters), ...Object.keys(contractNames)]);

export const SubmissionInput = z.strictObject({
  ...parameters,
  fields: z
    .record(z.string(), z.string())
    .refine((fields) => !Object.keys(fields).some((name) => taken.has(name)), {
      error: `These have parameters of their own: ${[...taken].join(', ')}.`,
    })
    .optional()
    .describe('other fields of the system, by name'),
});

type Asked = z.infer<typeof SubmissionInput>;

/** Whether it is for a batch. */
export const isForBatch = ({ count, table }: Asked): boolean => (count ?? table) !== undefined;

export async function readSubmission(
  client: Slipway,
  given: Asked,
  signal: AbortSignal,
): Promise<SubmissionOnNode & BatchSubmission> {
  const asked = renameOld(given);
  const { hpc, runtime = '30m', gpu_kind: gpuKind, max_running: maxRunning, ...others } = asked;
  const { folder, files, after_any: afterAny, ...same } = others;
  const { input_from: inputFrom, input_folder: inputFolder, input_failed: inputFailed } = asked;
  const hours = readHours(String(runtime));
  if (hours === undefined) {
    throw new CannotDo(`'${runtime}' is not a valid duration.`, {
      next: 'Write hours, or a time with its unit, such as 0.5, 30m, 2h30m or 1d.',
    });
  }
  if ((asked.command ?? asked.tool) === undefined) {
    throw new CannotDo('The command or tool to run is missing.', {
      next: 'Give a command or a tool. The tool systems lists which one a system takes.',
    });
  }
  if (asked.count !== undefined && asked.table !== undefined) {
    throw new CannotDo('Give either count or table.');
  }
  const waits = { after: asked.after, afterAny, inputFrom, inputFolder, inputFailed };
  return {
    ...same,
    hpc: hpc.toLowerCase(),
    gpuKind,
    maxRunning,
    runtime: hours,
    ...(await readWaits(client, waits)),
    signal,
  };
}
