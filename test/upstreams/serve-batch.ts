import { startBatchServer } from './batch-server.ts';

// Serves AWS Batch on loopback for a tool that started this process: its first message names queue
// and job definition, and further ones hold variables for containers that start later.

const variables: Record<string, string> = {};

process.once('message', async (names: { queue: string; definition: string }) => {
  const { url } = await startBatchServer({ ...names, runsCommands: variables });
  process.on('message', (more: Record<string, string>) => void Object.assign(variables, more));
  process.send?.({ url });
});
process.once('disconnect', () => process.exit());
