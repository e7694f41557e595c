import type { Table } from '#lib/table/table.ts';
import type { SendPush } from '../push/send-push.ts';
import { signPush } from '../push/sign-push.ts';
import { noteTry, readWebhook } from '../webhook-store.ts';
import { saveTry, type TakenDelivery } from './delivery-store.ts';
import { isPrompt, isTooLate, judgeTry } from './judge-try.ts';

export interface TryOptions {
  readonly send: SendPush;
  readonly now: () => Date;
  readonly random: () => number;
}

/** One try of a delivery that was taken up, and what becomes of it. */
export async function tryDelivery(
  table: Table,
  taken: TakenDelivery,
  { send, now, random }: TryOptions,
): Promise<void> {
  const { delivery } = taken;
  const at = now();
  const giveUp = (reason: string) =>
    saveTry(table, taken, { at, reason, ms: 0 }, { state: 'given-up' });
  // Tries that killed their process left no plan; a first one that comes late is made all the same.
  if (delivery.tryCount > 1 && isTooLate(delivery, at))
    return giveUp('the event is more than a day old');
  const webhook = await readWebhook(table, delivery.owner, delivery.webhookId);
  if (!webhook) return giveUp('the webhook was deleted');

  const { eventId: id, body } = delivery;
  const headers = signPush(webhook.secret, { id, at, body });
  const answer = await send({ url: webhook.url, headers, body });
  // The end of its lease brings it back.
  if (answer.abandoned) return;
  const attempt = { at, ...answer, ms: now().getTime() - at.getTime() };
  const outcome = judgeTry(delivery, attempt, now(), random);
  await saveTry(table, taken, attempt, outcome);
  await noteTry(table, webhook, { prompt: isPrompt(outcome, attempt), at });
}
