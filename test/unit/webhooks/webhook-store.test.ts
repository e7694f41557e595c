import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isWebhookId } from '#lib/catalog/identifiers.ts';
import type { EventType } from '#lib/events/event.ts';
import {
  deliveryPartition,
  systemWebhookRegistry,
  webhookCountKey,
  webhookRegistry,
} from '#lib/table/keys.ts';
import type { Table } from '#lib/table/table.ts';
import { changeItem } from '#lib/table/writes.ts';
import { queueDeliveries } from '#lib/webhooks/deliveries/queue-deliveries.ts';
import { EventForAdministratorsError, WebhookNotFoundError } from '#lib/webhooks/errors.ts';
import {
  createWebhook,
  deleteWebhook,
  findWebhook,
  listRegisteredWebhooks,
  listWebhooks,
  readWebhook,
} from '#lib/webhooks/webhook-store.ts';
import { openInProcessTable } from '#test/engines/in-process.ts';
import { userId } from '#test/fixtures/names.ts';

let opened: Awaited<ReturnType<typeof openInProcessTable>>;
let table: Table;
beforeAll(async () => {
  opened = await openInProcessTable('webhooks');
  table = opened.table;
});
afterAll(() => opened.close());

let users = 0;
function makeWish() {
  users += 1;
  const events = ['job.ended', 'quota.low'] as const;
  return { owner: userId(`${users}`), url: 'https://a.example.org/', events, description: 'mine' };
}
const at = (seconds: number) => new Date(Date.parse('2026-01-01T00:00:00Z') + seconds * 1000);

describe('webhooks', () => {
  it('are found by their owner as they were created, and by nobody else', async () => {
    const webhook = await createWebhook(table, makeWish(), at(0));
    const { owner, id } = webhook;
    expect(await findWebhook(table, owner, id)).toEqual(webhook);
    expect(await readWebhook(table, owner, id)).toEqual(webhook);
    await expect(findWebhook(table, userId('999'), id)).rejects.toThrow(WebhookNotFoundError);
    expect(await readWebhook(table, userId('999'), id)).toBeUndefined();
  });

  it('are listed oldest first', async () => {
    const wish = makeWish();
    const made = [];
    for (const seconds of [2, 0, 3, 1]) made.push(await createWebhook(table, wish, at(seconds)));
    const [third, first, fourth, second] = made;
    expect(await listWebhooks(table, wish.owner)).toEqual([first, second, third, fourth]);
  });

  it('have ids and secrets that nobody can guess', async () => {
    const wish = makeWish();
    const [one, other] = [await createWebhook(table, wish), await createWebhook(table, wish)];
    expect(isWebhookId(one.id)).toBe(true);
    expect(one.id).not.toBe(other.id);
    expect(one.secret).toMatch(/^whsec_[A-Za-z0-9+/]{32}$/);
    expect(one.secret).not.toBe(other.secret);
  });

  it('are deleted once, which makes room for another', async () => {
    const wish = makeWish();
    const made = [];
    for (let count = 0; count < 10; count += 1) made.push(await createWebhook(table, wish));
    const [first] = made;
    expect(await deleteWebhook(table, wish.owner, first!.id)).toEqual(first);
    await expect(deleteWebhook(table, wish.owner, first!.id)).rejects.toThrow(WebhookNotFoundError);
    await createWebhook(table, wish);
    await expect(createWebhook(table, wish)).rejects.toMatchObject({
      name: 'TooManyWebhooksError',
    });
  });

  it('are not deleted if their count is wrong, which is an internal error', async () => {
    const { owner, id } = await createWebhook(table, makeWish());
    await changeItem(table, webhookCountKey(owner), { set: { webhooks: 0 } });
    await expect(deleteWebhook(table, owner, id)).rejects.toThrow(
      `The webhook count of ${owner} is wrong.`,
    );
    expect(await listWebhooks(table, owner)).toHaveLength(1);
  });
});

describe('webhooks for more than what happens to their owner', () => {
  const system = 'system.maintenance-announced';
  const register = (events: readonly EventType[], byAdministrator = {}) =>
    createWebhook(table, { ...makeWish(), events, ...byAdministrator });

  it('are those of administrators, and those for systems, however many there are', async () => {
    await expect(register(['project.opened'])).rejects.toThrow(EventForAdministratorsError);
    await register(['job.ended']);
    const ofAdministrators = await register(['job.ended', 'project.opened', system], {
      byAdministrator: true,
    });
    const ofAll = [];
    for (let count = 0; count <= 100; count += 1) ofAll.push(await register(['job.ended', system]));
    const list = async (registry: string) =>
      (await listRegisteredWebhooks(table, registry)).map(({ id }) => id).sort();
    expect(await list(webhookRegistry)).toEqual([ofAdministrators.id]);
    expect(await list(systemWebhookRegistry)).toEqual(ofAll.map(({ id }) => id).sort());
    const told = await queueDeliveries(table, { id: 'e-1', type: system, at: at(0), data: {} });
    expect(told.map(({ PK }) => PK).sort()).toEqual(
      [ofAdministrators, ...ofAll].map(({ id }) => deliveryPartition(id)).sort(),
    );
  });
});

describe('the identifier of a webhook', () => {
  const id = '8c1d5f0e-3b7a-4c62-9e0d-6a1b2c3d4e5f';

  it('has 36 characters, all of them those of a UUID', () => {
    expect(isWebhookId(id)).toBe(true);
    const others = ['', `${id}0`, `0${id}`, id.slice(1), id.toUpperCase(), id.replace('8c', '#c')];
    expect(others.filter(isWebhookId)).toEqual([]);
  });
});
