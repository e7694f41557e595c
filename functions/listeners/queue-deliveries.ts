import { readEnvironment, readPushRules, TableEnvironment } from '#lib/config.ts';
import { shareTable } from '#lib/table/share-table.ts';
import { sampleSizes } from '#lib/telemetry/sample-sizes.ts';
import { deliver } from '#lib/webhooks/deliveries/deliver.ts';
import { parseBusEvent, queueDeliveries } from '#lib/webhooks/deliveries/queue-deliveries.ts';
import { openSender } from '#lib/webhooks/send-push.ts';

const table = shareTable(readEnvironment(TableEnvironment).TABLE_NAME);
sampleSizes(table.client);
const send = openSender({ rules: readPushRules() });

/** Queues a delivery for each webhook that subscribes to the event, and tries each once. */
export async function handler(event: unknown): Promise<void> {
  await deliver(table, await queueDeliveries(table, parseBusEvent(event)), { send });
}
