import { readPushRules } from '#lib/config.ts';
import { deliverDue } from '#lib/webhooks/deliveries/deliver.ts';
import { openSender } from '#lib/webhooks/send-push.ts';
import { table } from '../table.ts';

const send = openSender({ rules: readPushRules() });

/** Retries failed deliveries, and sends those that were queued but never tried. */
export async function handler(): Promise<void> {
  await deliverDue(table, { send });
}
