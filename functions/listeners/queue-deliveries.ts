import { readPushRules } from '#lib/config.ts';
import { sampleSizes } from '#lib/telemetry/sample-sizes.ts';
import { deliver } from '#lib/webhooks/deliveries/deliver.ts';
import { parseBusEvent, queueDeliveries } from '#lib/webhooks/deliveries/queue-deliveries.ts';
import { openSender } from '#lib/webhooks/send-push.ts';
import { table } from '../table.ts';

sampleSizes(table.client);
const send = openSender({ rules: readPushRules() });

/** Queues a delivery for each webhook that subscribes to the event, and tries each once. */
export async function handler(event: unknown): Promise<void> {
  await deliver(table, await queueDeliveries(table, parseBusEvent(event)), { send });
}
