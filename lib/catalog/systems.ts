import type { HpcSystem } from './hpc-system.ts';

const welcomeQuota = { seconds: 18_000_000, kilobytes: 10_000_000 } as const;

/** Room for a parameter study, and an end to a loop that went wrong. */
const maxLivingJobs = 1000;

export const systems: readonly HpcSystem[] = [
  {
    name: 'hpc_one',
    description: 'A batch scheduler: the job is a command.',
    projects: [{ number: 1, name: 'proj_hpc_one_01', hpc: 'hpc_one', maxLivingJobs }],
    program: { field: 'command', form: 'text', maxLength: 4096 },
    extraFields: [],
    limits: { nodes: 512, coresPerNode: 64 },
    grantableRuntime: 24,
    charging: 'node',
    jobId: { form: 'uuid' },
    stages: {
      first: 'QUEUED',
      running: 'RUNNING',
      living: ['READY', 'STAGINGIN', 'QUEUED', 'RUNNING', 'STAGINGOUT'],
      succeeded: ['SUCCESSFUL'],
      failed: ['FAILED'],
    },
    connector: { kind: 'simulator' },
    welcomeQuota,
  },
  {
    name: 'hpc_two',
    description: 'A science gateway: the job is one of its tools.',
    projects: [
      { number: 2, name: 'proj_hpc_two_01', hpc: 'hpc_two', maxLivingJobs },
      { number: 3, name: 'proj_hpc_two_02', hpc: 'hpc_two', maxLivingJobs },
    ],
    program: { field: 'tool', form: 'name', maxLength: 64 },
    extraFields: [
      { name: 'init_file', maxLength: 255 },
      { name: 'python_option', maxLength: 255 },
    ],
    limits: { nodes: 72, coresPerNode: 24 },
    grantableRuntime: 0.5,
    charging: 'node',
    jobId: { form: 'tool-token', prefix: 'NGBW-JOB' },
    stages: {
      first: 'QUEUE',
      running: 'SUBMITTED',
      living: ['QUEUE', 'COMMANDRENDERING', 'INPUTSTAGING', 'SUBMITTED', 'LOAD_RESULTS'],
      succeeded: ['COMPLETED'],
      failed: [],
    },
    connector: { kind: 'simulator' },
    welcomeQuota,
  },
];
