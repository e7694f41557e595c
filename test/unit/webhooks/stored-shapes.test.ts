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
  });

  it('may have been failing for a while', () => {
    const failing = { ...webhookItem, failing_since: '2026-01-02T00:00:00.000Z' };
    expect(webhookFromItem(failing)).toEqual({
      ...webhookFromItem(webhookItem),
      failingSince: new Date('2026-01-02T00:00:00Z'),
    });
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

  it('has this shape when it is new', () => {
    expect(newDeliveryToItem(delivery, new Date('2026-01-02T00:00:01Z'))).toEqual({
      ...deliveryItem,
      due: expect.stringMatching(/^DUE#DELIVERIES#[0-3]$/),
    });
  });

  it('reads as the domain’s own', () => {
    const tries = [
      { at: new Date('2026-01-02T00:00:01Z'), reason: 'no answer within 10 s', ms: 10_001 },
      { at: new Date('2026-01-02T00:00:06Z'), status: 503, ms: 12 },
    ];
    const stored = { ...deliveryItem, try_count: 2, tries: triesToItem(tries) };
    expect(deliveryFromItem(stored)).toEqual({
      ...delivery,
      state: 'waiting',
      nextTry: new Date(deliveryItem.due_at),
      tryCount: 2,
      tries,
    });
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
