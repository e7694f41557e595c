import { createHmac } from 'node:crypto';
import { secretPrefix } from './webhook.ts';

/**
 * Signs a push as Standard Webhooks says. Every try has the id of the event, so a receiver
 * recognises repeats. The time is that of the try, so a receiver can refuse replayed pushes.
 */
export function signPush(
  secret: string,
  { id, at, body }: { readonly id: string; readonly at: Date; readonly body: string },
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000));
  const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
  };
}
