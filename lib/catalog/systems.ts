import type { HpcSystem } from './hpc-system.ts';
import { projectName, systemName } from './identifiers.ts';

const welcomeQuota = { seconds: 18_000_000, kilobytes: 10_000_000 } as const;

/** Room for a parameter study, and an end to a loop that went wrong. */
const maxLivingJobs = 1000;

const hpcOne = systemName('hpc_one');
const hpcTwo = systemName('hpc_two');

export const systems: readonly HpcSystem[] = [
  {
    name: hpcOne,
    description: 'A batch scheduler: the job is a command.',
    projects: [{ number: 1, name: projectName('proj_hpc_one_01'), hpc: hpcOne, maxLivingJobs }],
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
    name: hpcTwo,
    description: 'A science gateway: the job is one of its tools.',
    projects: [
      { number: 2, name: projectName('proj_hpc_two_01'), hpc: hpcTwo, maxLivingJobs },
      { number: 3, name: projectName('proj_hpc_two_02'), hpc: hpcTwo, maxLivingJobs },
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
