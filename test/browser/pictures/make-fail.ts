import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { Job } from '#client/src/node/index.ts';
import { isJobId, systemName } from '#lib/catalog/identifiers.ts';
import { simulatorKey } from '#lib/table/keys.ts';
import { openTable } from '#lib/table/table.ts';
import { tableName } from '#local/names.ts';

/** Makes a simulated job fail. Only the simulator gets it, so that the title does not show it. */
export const wordToFail = 'sim:fail';

export async function makeFail({ project_hpc: hpc, job_id: jobId }: Job): Promise<void> {
  if (!isJobId(jobId)) throw new Error(`${jobId} is not a job id.`);
  const table = openTable(tableName);
  await table.client.send(
    new UpdateCommand({
      TableName: table.name,
      Key: simulatorKey(systemName(hpc.toLowerCase()), jobId),
      UpdateExpression: 'SET title = :title',
      ExpressionAttributeValues: { ':title': wordToFail },
    }),
  );
  table.client.destroy();
}
