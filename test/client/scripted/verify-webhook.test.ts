import { describe, expect, it } from 'vitest';
import { signPush } from '#lib/webhooks/sign-push.ts';
import { verifyWebhook } from '../../../client/src/index.ts';

const secret = `whsec_${Buffer.from('an example of 24 bytes..').toString('base64')}`;
const other = `whsec_${Buffer.from('another one of 24 bytes.').toString('base64')}`;
const at = new Date('2026-11-15T10:06:01Z');
const body = '{"type":"job.ended","data":{"title":"神经元"}}';
const headers = signPush(secret, { id: 'AF17-ended', at, body });

describe('a webhook delivery', () => {
  it('signed by the service is valid, as text or bytes and with any kind of headers', async () => {
    const now = at.getTime() + 200_000;
    const bytes = new TextEncoder().encode(body);
    expect(await verifyWebhook(secret, headers, body, now)).toBe(true);
    expect(await verifyWebhook(secret, headers, bytes, now)).toBe(true);
    expect(await verifyWebhook(secret, new Headers(headers), bytes, now)).toBe(true);
  });

  it('with two signatures is valid if one of them is', async () => {
    const wrong = signPush(other, { id: 'AF17-ended', at, body })['webhook-signature'];
    const right = headers['webhook-signature'];
    const both = { ...headers, 'webhook-signature': `${wrong} v2,abc ${right}` };
    const none = {
      ...headers,
      'webhook-signature': `${wrong} v1,~ v1, ${right?.replace('v1', 'v2')}`,
    };
    expect(await verifyWebhook(secret, both, body, at.getTime())).toBe(true);
    expect(await verifyWebhook(secret, none, body, at.getTime())).toBe(false);
  });

  it.each([
    { what: 'whose body was changed', body: body.replace('ended', 'begun') },
    { what: 'of another secret', secret: other },
    { what: 'of another event', headers: { ...headers, 'webhook-id': 'AF18-ended' } },
    { what: 'that is replayed later', now: at.getTime() + 301_000 },
    { what: 'from the future', now: at.getTime() - 301_000 },
    { what: 'without a timestamp', headers: { ...headers, 'webhook-timestamp': undefined } },
    {
      what: 'whose timestamp is not a number',
      headers: { ...headers, 'webhook-timestamp': 'now' },
    },
    { what: 'without a signature', headers: { ...headers, 'webhook-signature': undefined } },
    {
      what: 'whose signature is not base64',
      headers: { ...headers, 'webhook-signature': 'v1,~ v1, v1 ,' },
    },
    { what: 'without anything', headers: {} },
  ])('$what is invalid', async (changed) => {
    const push = { secret, headers, body, now: at.getTime(), ...changed };
    expect(await verifyWebhook(push.secret, push.headers, push.body, push.now)).toBe(false);
  });

  it.each(['', 'whsec_', 'whsec_?', 'whsec_bm8=', secret.slice(0, 20)])(
    'cannot be checked with the secret %j, which is said',
    async (wrong) => {
      const checking = verifyWebhook(wrong, headers, body, at.getTime());
      await expect(checking).rejects.toThrow('This is not the secret of a webhook.');
      await expect(verifyWebhook(wrong, {}, body)).rejects.toThrow(TypeError);
    },
  );
});
