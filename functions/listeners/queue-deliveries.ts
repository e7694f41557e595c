import { readMailSettings, readPushRules } from '#lib/config.ts';
import { queueMail } from '#lib/mail/queue-mail.ts';
import { sampleSizes } from '#lib/telemetry/sample-sizes.ts';
import { deliver } from '#lib/webhooks/deliveries/deliver.ts';
import { parseBusEvent, queueDeliveries } from '#lib/webhooks/deliveries/queue-deliveries.ts';
import { openSender } from '#lib/webhooks/send-push.ts';
import { table } from '../table.ts';

sampleSizes(table.client);
const send = openSender({ rules: readPushRules() });

const sendsMail = readMailSettings() !== undefined;

/**
 * Queues a delivery for each webhook that subscribes to the event, and tries each once. Queues a
 * mail first, because a receiver may be slow.
 */
export async function handler(event: unknown): Promise<void> {
  const told = parseBusEvent(event);
  if (sendsMail) await queueMail(table, told);
  await deliver(table, await queueDeliveries(table, told), { send });
}
