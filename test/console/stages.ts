import { describeStages } from '#client/src/format/jobs/describe-stage.ts';

/** What the stages of HPC_ONE mean. */
export const stageOf = describeStages([
  {
    project_hpc: 'HPC_ONE',
    stage_meanings: {
      READY: 'waiting',
      QUEUED: 'waiting',
      RUNNING: 'running',
      STAGINGOUT: 'finishing',
      SUCCESSFUL: 'done',
      FAILED: 'failed',
      CANCELED: 'cancelled',
    },
  },
]);
