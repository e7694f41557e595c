import { readEnvironment, readPushRules, TableEnvironment } from '#lib/config.ts';
import { shareTable } from '#lib/table/share-table.ts';
import { deliverDue } from '#lib/webhooks/deliveries/deliver.ts';
import { openSender } from '#lib/webhooks/send-push.ts';

const table = shareTable(readEnvironment(TableEnvironment).TABLE_NAME);
const send = openSender({ rules: readPushRules() });

/** Retries failed deliveries, and sends those that were queued but never tried. */
export async function handler(): Promise<void> {
  await deliverDue(table, { send });
}
