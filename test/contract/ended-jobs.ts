import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { jobToItem, type Job as StoredJob } from '#lib/jobs/job.ts';
import { openTable } from '#lib/table/table.ts';
import { tableName } from '#local/names.ts';
import { jobId, projectName, systemName, userId } from '#test/fixtures/names.ts';
import type { Job } from './shapes.ts';

/** The finished jobs of the examples, as they are stored and as they must be shown. */
export function endedJobs(owner: string): readonly { stored: StoredJob; shown: Job }[] {
  const common = { owner, title: 'a job title', failed: false };
  const storedCommon = { ...common, terminal: true, hold: { seconds: 3600, kilobytes: 1 } };
  return [
    {
      stored: {
        ...storedCommon,
        owner: userId(owner),
        id: 1_000_080,
        jobId: jobId('AF17D39A-9E15-4FE3-9F84-0EAEB4CC94AA'),
        project: { number: 1, hpc: systemName('hpc_one'), name: projectName('proj_hpc_one_01') },
        runtime: 2,
        stage: 'SUCCESSFUL',
        submittedAt: new Date('2019-02-10T22:40:01Z'),
        endedAt: new Date('2019-02-10T23:01:07Z'),
      },
      shown: {
        ...common,
        end_date: '2019-02-10T23:01:07Z',
        id: 1_000_080,
        init_date: '2019-02-10T22:40:01Z',
        job_id: 'AF17D39A-9E15-4FE3-9F84-0EAEB4CC94AA',
        project: 1,
        project_hpc: 'HPC_ONE',
        project_name: 'proj_hpc_one_01',
        runtime: 2,
        stage: 'SUCCESSFUL',
        terminal_stage: true,
      },
    },
    {
      stored: {
        ...storedCommon,
        owner: userId(owner),
        id: 1_000_081,
        jobId: jobId('NGBW-JOB-NEURON74_TG-85CB59F5CD5A4FBCBCBA5DABCC420280'),
        project: { number: 2, hpc: systemName('hpc_two'), name: projectName('proj_hpc_two_01') },
        runtime: 0.5,
        stage: 'COMPLETED',
        submittedAt: new Date('2019-02-10T22:46:19Z'),
        endedAt: new Date('2019-02-10T23:21:51Z'),
      },
      shown: {
        ...common,
        end_date: '2019-02-10T23:21:51Z',
        id: 1_000_081,
        init_date: '2019-02-10T22:46:19Z',
        job_id: 'NGBW-JOB-NEURON74_TG-85CB59F5CD5A4FBCBCBA5DABCC420280',
        project: 2,
        project_hpc: 'HPC_TWO',
        project_name: 'proj_hpc_two_01',
        runtime: 0.5,
        stage: 'COMPLETED',
        terminal_stage: true,
      },
    },
  ];
}

/** Nothing over HTTP ends a job on demand, so these go into the table of this process. */
export async function putJobs(jobs: readonly StoredJob[]): Promise<void> {
  const { client } = openTable(tableName);
  for (const job of jobs) {
    await client.send(new PutCommand({ TableName: tableName, Item: jobToItem(job) }));
  }
  client.destroy();
}
