import { describe, expect, it } from 'vitest';
import { DamagedItemError } from '#lib/table/parse-item.ts';
import {
  deliveryFromItem,
  deliveryId,
  newDeliveryToItem,
  parseDeliveryId,
  triesToItem,
} from '#lib/webhooks/deliveries/delivery.ts';
import { webhookFromItem, webhookToItem } from '#lib/webhooks/webhook.ts';
import { user } from '#test/fixtures/samples.ts';
import { deliveryItem, secret, webhookId, webhookItem } from '#test/fixtures/webhooks.ts';

/** Every later version must read what the table holds, so a change needs a new schema_version. */
describe('a stored webhook', () => {
  it('has this shape, and reads as the domain’s own', () => {
    const webhook = webhookFromItem(webhookItem);
    expect(webhook).toEqual({
      id: webhookId,
      owner: user,
      url: 'https://app.example.org/hook',
      events: ['job.submitted', 'job.ended'],
      description: 'the portal',
      createdAt: new Date('2026-01-01T00:00:00.123Z'),
      secret,
    });
    expect(webhookToItem(webhook)).toEqual(webhookItem);
    const failing = { ...webhookItem, failing_since: '2026-01-02T00:00:00.000Z' };
    const failingSince = new Date(failing.failing_since);
    expect(webhookFromItem(failing)).toEqual({ ...webhook, failingSince });
    expect(webhookToItem({ ...webhook, failingSince })).toEqual(failing);
  });

  it.each([
    {},
    { ...webhookItem, type: 'delivery' },
    { ...webhookItem, schema_version: 2 },
    { ...webhookItem, events: ['job.lost'] },
    { ...webhookItem, secret: undefined },
  ])('of another shape is refused: %#', (item) => {
    expect(() => webhookFromItem(item)).toThrow(DamagedItemError);
  });
});

describe('a stored delivery', () => {
  const delivery = {
    webhookId,
    owner: user,
    eventId: 'e-1',
    eventType: 'job.ended',
    eventAt: new Date('2026-01-02T00:00:00Z'),
    body: deliveryItem.body,
  } as const;

  it('has this shape, and reads as the domain’s own', () => {
    expect(newDeliveryToItem(delivery, new Date('2026-01-02T00:00:01Z'))).toEqual({
      ...deliveryItem,
      due: expect.stringMatching(/^DUE#DELIVERIES#[0-3]$/),
    });
    const tries = [
      { at: '2026-01-02T00:00:01.000Z', reason: 'no answer within 10 s', ms: 10_001 },
      { at: '2026-01-02T00:00:06.000Z', status: 503, ms: 12 },
    ];
    const read = tries.map((each) => ({ ...each, at: new Date(each.at) }));
    expect(triesToItem(read)).toEqual(tries);
    const again_at = '2026-01-05T00:00:00.000Z';
    for (const state of ['waiting', 'delivered', 'given-up']) {
      expect(deliveryFromItem({ ...deliveryItem, state, again_at, try_count: 2, tries })).toEqual({
        ...delivery,
        againAt: new Date(again_at),
        state,
        nextTry: new Date(deliveryItem.due_at),
        tryCount: 2,
        tries: read,
      });
    }
  });

  it('has no next try if it is not due', () => {
    const { due: _, due_at: __, ...ended } = { ...deliveryItem, state: 'delivered' };
    expect(deliveryFromItem(ended)).toMatchObject({ state: 'delivered', nextTry: undefined });
  });

  it.each([
    {},
    { ...deliveryItem, type: 'webhook' },
    { ...deliveryItem, schema_version: 2 },
    { ...deliveryItem, state: 'lost' },
    { ...deliveryItem, tries: undefined },
  ])('of another shape is refused: %#', (item) => {
    expect(() => deliveryFromItem(item)).toThrow(DamagedItemError);
  });
});

describe('the id of a delivery', () => {
  const place = { eventAt: new Date('2026-01-02T00:00:00.123Z'), eventId: 'A_1-ended' };

  it('says where the delivery is', () => {
    expect(deliveryId(place)).toBe('1767312000123-A_1-ended');
    expect(parseDeliveryId('1767312000123-A_1-ended')).toEqual(place);
  });

  it.each(['', '1', '1-', '-e', 'x-e', '1-a#b', `1-${'a'.repeat(513)}`, '123456789012345-e'])(
    'is never %s',
    (text) => {
      expect(parseDeliveryId(text)).toBeUndefined();
    },
  );
});
