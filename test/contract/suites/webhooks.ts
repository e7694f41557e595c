import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { Webhook, WebhookWithSecret } from '#lib/http/answers/webhook.ts';
import { type Answer, ask } from '../ask.ts';
import { badWebhooks } from '../cases/bad-webhooks.ts';
import { expectProblem, withoutInstance } from '../shapes.ts';
import { type Account, itNeeding, type Target } from '../target.ts';

/** Beyond the contract: what an application registers to be told instead of asking. */
export function webhooksSuite(target: Target): void {
  const json = { 'content-type': 'application/json' };
  const post = ({ token }: Account, body: unknown, headers = json) =>
    ask(target, {
      method: 'POST',
      path: '/webhooks/',
      token,
      headers,
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
  const send = ({ token }: Account, path: string, method = 'GET') =>
    ask(target, { method, path, token });
  const register = async (account: Account, url = 'https://app.example.org/hook') => {
    const answer = await post(account, { url });
    expect(answer.status).toBe(201);
    const webhook = v.parse(WebhookWithSecret, answer.json);
    expect(v.is(v.pipe(v.string(), v.uuid()), webhook.webhook_id)).toBe(true);
    expect(webhook.secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
    return { answer, webhook };
  };

  /** With BASE_URL all cases share one account, so each leaves as many as it found. */
  async function withWebhook(
    account: Account,
    look: (webhook: v.InferOutput<typeof WebhookWithSecret>, answer: Answer) => Promise<void>,
  ): Promise<void> {
    const { webhook, answer } = await register(account);
    try {
      await look(webhook, answer);
    } finally {
      await send(account, `/webhooks/${webhook.webhook_id}/`, 'DELETE');
    }
  }

  describe('webhooks', () => {
    it('are registered, shown without their secret, listed and deleted', async () => {
      const account = target.account();
      await withWebhook(account, async ({ secret: _, ...shown }, { headers }) => {
        const path = `/webhooks/${shown.webhook_id}/`;
        expect(headers.get('location')).toBe(`${target.url}${path}`);
        expect(headers.get('cache-control')).toBe('no-store');
        expect(shown).toMatchObject({ url: 'https://app.example.org/hook', description: '' });
        expect(shown.events).toHaveLength(14);
        for (const each of [path, path.replace(/\/$/, '')]) {
          expect((await send(account, each)).json).toEqual(shown);
        }
        const list = await send(account, '/webhooks/');
        expect(v.parse(v.array(Webhook), list.json)).toContainEqual(shown);
        const log = await send(account, `${path}deliveries/?limit=10`);
        expect(log).toMatchObject({ status: 200, json: [] });
        expectProblem(await send(account, `${path}deliveries/?limit=101`), 400, ['query limit']);

        expect(await send(account, path, 'DELETE')).toMatchObject({ status: 200, json: shown });
        expectProblem(await send(account, path, 'DELETE'), 404);
        expectProblem(await send(account, path), 404);
        expect((await send(account, '/webhooks/')).json).not.toContainEqual(shown);
      });
    });

    it('have a sibling in mails, which everybody can choose and end', async () => {
      const account = target.account();
      const changed = await ask(target, {
        method: 'PUT',
        path: '/notifications/',
        token: account.token,
        headers: json,
        body: JSON.stringify({ email: null, events: ['quota.low'] }),
      });
      expect(changed).toMatchObject({ status: 200, json: { email: null, events: ['quota.low'] } });
      expect((await send(account, '/notifications/')).json).toEqual(changed.json);
    });

    itNeeding(target, 'other')('are nobody else’s', async () => {
      await withWebhook(target.account(), async ({ webhook_id: id }) => {
        const path = `/webhooks/${id}/`;
        const absent = '/webhooks/00000000-0000-4000-8000-000000000000/';
        for (const method of ['GET', 'DELETE']) {
          const refused = expectProblem(await send(target.other(), path, method), 404);
          const missing = expectProblem(await send(target.other(), absent, method), 404);
          expect(withoutInstance(refused)).toEqual(withoutInstance(missing));
        }
        expectProblem(await send(target.other(), `${path}deliveries/`), 404);
      });
    });

    itNeeding(target, 'newcomer')('are at most 10', async () => {
      const account = target.account();
      const answers = await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          post(account, { url: `https://app.example.org/${index}` }),
        ),
      );
      const refused = answers.filter(({ status }) => status !== 201);
      expect(refused).toHaveLength(2);
      for (const each of refused) expectProblem(each, 409);
      expect((await send(account, '/webhooks/')).json).toHaveLength(10);
    });

    it.each(badWebhooks)('answer 400 to $body', async ({ body, named }) => {
      expectProblem(await post(target.account(), body), 400, named);
    });

    it('answer 400 to what is no JSON, 413 to what is too long, 415 to a form', async () => {
      const account = target.account();
      expectProblem(await post(account, '{'), 400, ['body body']);
      expectProblem(await post(account, JSON.stringify({ url: 'a'.repeat(20_000) })), 413);
      const form = { 'content-type': 'application/x-www-form-urlencoded' };
      expectProblem(await post(account, 'url=https%3A%2F%2Fapp.example.org', form), 415);
    });

    it('need a token', async () => {
      for (const method of ['GET', 'POST']) {
        expectProblem(await ask(target, { method, path: '/webhooks/' }), 401);
      }
    });
  });
}
