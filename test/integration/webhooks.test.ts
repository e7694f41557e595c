import { expect, it, onTestFinished } from 'vitest';
import type { UserId } from '#lib/catalog/identifiers.ts';
import type { EventType, SlipwayEvent } from '#lib/events/event.ts';
import { announceShutdownBy } from '#lib/outbound/shutdown.ts';
import { readItem } from '#lib/table/reads.ts';
import type { Table } from '#lib/table/table.ts';
import { keepMeasurements } from '#lib/telemetry/measurements.ts';
import { deliver, deliverDue } from '#lib/webhooks/deliveries/deliver.ts';
import { deliveryId } from '#lib/webhooks/deliveries/delivery.ts';
import { findDueDeliveries, readDeliveries } from '#lib/webhooks/deliveries/delivery-store.ts';
import { queueAgain, queueTest } from '#lib/webhooks/deliveries/queue-by-hand.ts';
import { queueDeliveries } from '#lib/webhooks/deliveries/queue-deliveries.ts';
import {
  DeliveryNotFoundError,
  TooManyWebhooksError,
  WebhookNotFoundError,
} from '#lib/webhooks/errors.ts';
import { openSender, type Push, type PushAnswer } from '#lib/webhooks/send-push.ts';
import type { Webhook } from '#lib/webhooks/webhook.ts';
import { createWebhook, deleteWebhook, listWebhooks } from '#lib/webhooks/webhook-store.ts';
import { countUsers } from '#test/fixtures/names.ts';
import { onEveryEngine, tableForAll } from '../engines/use-table.ts';
import { startHostilePeer } from '../fixtures/hostile-peer.ts';
import { answerWith, startReceiver } from '../fixtures/receiver.ts';

const readLog = async (table: Table, webhookId: string, limit: number) =>
  (await readDeliveries(table, webhookId, limit)).entries;

const start = new Date('2026-01-01T00:00:00Z');
const day = 24 * 60 * 60;

/** Has its own clock, and a receiver that the test answers for, so nothing waits. */
function createWorld(table: Table, answer: (push: Push, count: number) => PushAnswer) {
  let now = start;
  const pushes: { readonly push: Push; readonly seconds: number }[] = [];
  const options = {
    now: () => now,
    random: () => 0,
    send: async (push: Push) => {
      pushes.push({ push, seconds: (now.getTime() - start.getTime()) / 1000 });
      return answer(push, pushes.length);
    },
  };
  return {
    pushes,
    now: () => now,
    pass(seconds: number) {
      now = new Date(now.getTime() + seconds * 1000);
    },
    tell: async (event: SlipwayEvent) =>
      deliver(table, await queueDeliveries(table, event, now), options),
    queue: (event: SlipwayEvent) => queueDeliveries(table, event, now),
    sweep: () => deliverDue(table, options),
    countDue: async () => (await findDueDeliveries(table, new Date('2100-01-01'), 1000)).length,
  };
}

onEveryEngine('webhooks on $name', (engine) => {
  const table = tableForAll(engine);
  let events = 0;
  const newUser = countUsers();
  const newEvent = (owner: UserId, type: EventType = 'job.ended'): SlipwayEvent => {
    events += 1;
    return { id: `e-${events}`, type, owner, at: start, data: { stage: 'SUCCESSFUL' } };
  };
  const register = (owner: UserId, change: Partial<Webhook> = {}): Promise<Webhook> => {
    const url = 'https://app.example.org/';
    const wish = { owner, url, events: ['job.ended'], description: '', ...change } as const;
    return createWebhook(table, wish);
  };

  it('are at most 10 per user, even for simultaneous requests', async () => {
    const owner = newUser();
    const asked = await Promise.allSettled(Array.from({ length: 14 }, () => register(owner)));
    const refused = asked.filter(({ status }) => status === 'rejected');
    expect(refused).toHaveLength(4);
    for (const each of refused) {
      expect(each).toMatchObject({ reason: expect.any(TooManyWebhooksError) });
    }
    const [first] = await listWebhooks(table, owner);
    expect(await listWebhooks(table, owner)).toHaveLength(10);

    const gone = await Promise.allSettled(
      Array.from({ length: 3 }, () => deleteWebhook(table, owner, first!.id)),
    );
    expect(gone.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    await register(owner);
    await expect(register(owner)).rejects.toThrow(TooManyWebhooksError);
    await expect(deleteWebhook(table, newUser(), first!.id)).rejects.toThrow(WebhookNotFoundError);
  });

  it('get the events of their owner that they want, each once', async () => {
    const owner = newUser();
    const ended = await register(owner, { url: 'https://ended.example.org/' });
    const all = await register(owner, {
      url: 'https://all.example.org/',
      events: ['job.ended', 'quota.low'],
    });
    await register(newUser());
    const world = createWorld(table, () => ({ status: 200 }));
    const event = newEvent(owner);
    await Promise.all([world.tell(event), world.tell(event), world.tell(event)]);
    await world.tell(newEvent(owner, 'quota.low'));
    await world.tell(newEvent(owner, 'job.submitted'));
    world.pass(day);
    await world.tell(event);
    await world.sweep();
    expect(world.pushes.map(({ push }) => push.url).sort()).toEqual([
      'https://all.example.org/',
      'https://all.example.org/',
      'https://ended.example.org/',
    ]);
    expect(JSON.parse(world.pushes[0]!.push.body)).toEqual({
      id: event.id,
      type: 'job.ended',
      timestamp: '2026-01-01T00:00:00.000Z',
      data: { stage: 'SUCCESSFUL' },
    });
    expect(await readLog(table, ended.id, 100)).toMatchObject([
      { eventId: event.id, state: 'delivered', nextTry: undefined, tries: [{ status: 200 }] },
    ]);
    expect(await readLog(table, all.id, 1)).toHaveLength(1);
    expect(await world.countDue()).toBe(0);
  });

  it('are retried for a day with growing pauses, and then given up', async () => {
    const owner = newUser();
    const { id } = await register(owner);
    const world = createWorld(table, () => ({ status: 500 }));
    await world.tell(newEvent(owner));
    // The schedule comes every minute. Most sweeps find nothing due.
    for (let sweeps = 0; sweeps < 30; sweeps += 1) {
      const [{ nextTry } = { nextTry: undefined }] = await readLog(table, id, 1);
      if (!nextTry) break;
      world.pass(Math.ceil((nextTry.getTime() - world.now().getTime()) / 60_000) * 60);
      await world.sweep();
    }
    const hours = (count: number) => count * 3600;
    expect(world.pushes.map(({ seconds }) => seconds)).toEqual([
      0,
      60,
      120,
      240,
      840,
      2640,
      6240,
      ...Array.from({ length: 11 }, (_, index) => 6240 + hours(2) * (index + 1)),
    ]);
    const [delivery] = await readLog(table, id, 100);
    expect(delivery).toMatchObject({ state: 'given-up', nextTry: undefined, tryCount: 18 });
    expect(delivery?.tries).toHaveLength(18);
  });

  it('arrive once the receiver is back', async () => {
    const owner = newUser();
    const receiver = await startReceiver(answerWith(500, 302, 200));
    const { id, secret } = await register(owner, { url: receiver.url });
    const send = openSender({ rules: { toLoopback: true } });
    let now = start;
    const options = { send, now: () => now, random: () => 0 };
    const counted: unknown[] = [];
    keepMeasurements(({ name, labels }) => counted.push([name, labels.state]));
    onTestFinished(() => keepMeasurements());
    await deliver(table, await queueDeliveries(table, newEvent(owner), now), options);
    for (const seconds of [4, 1, 29, 1, 7200]) {
      now = new Date(now.getTime() + seconds * 1000);
      await deliverDue(table, options);
    }
    expect(receiver.received).toHaveLength(3);
    const states = ['waiting', 'waiting', 'delivered'];
    expect(counted).toEqual(states.map((state) => ['DeliveryTries', state]));
    const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
    const times = receiver.received.map(({ headers }) => headers['webhook-timestamp']);
    expect(new Set(ids).size).toBe(1);
    expect(times).toEqual(['1767225600', '1767225605', '1767225635']);
    expect(new Set(receiver.received.map(({ body }) => body)).size).toBe(1);
    expect(JSON.stringify(receiver.received)).not.toContain(secret);
    expect(await readLog(table, id, 100)).toMatchObject([
      {
        state: 'delivered',
        tries: [
          { status: 500 },
          { status: 302, reason: 'redirects are not followed' },
          { status: 200 },
        ],
      },
    ]);
  });

  it('are not retried if the receiver says that it is gone', async () => {
    const owner = newUser();
    const { id } = await register(owner);
    const world = createWorld(table, () => ({ status: 410 }));
    const [due] = await world.queue(newEvent(owner));
    await world.sweep();
    // It no longer has a place in the index of what is due.
    expect(await readItem(table, due!, ({ due, due_at }) => ({ due, due_at }))).toEqual({});
    expect(await readLog(table, id, 100)).toMatchObject([
      { state: 'given-up', nextTry: undefined, tries: [{ status: 410 }] },
    ]);
    expect(await world.countDue()).toBe(0);
  });

  it('are tried once by two simultaneous sweeps', async () => {
    const owner = newUser();
    await register(owner);
    const world = createWorld(table, () => ({ status: 200 }));
    for (let count = 0; count < 20; count += 1) await world.queue(newEvent(owner));
    await Promise.all([world.sweep(), world.sweep(), world.sweep()]);
    expect(world.pushes).toHaveLength(20);
    expect(new Set(world.pushes.map(({ push }) => push.headers['webhook-id'])).size).toBe(20);
  });

  it('are tried again after a sweep died, once its lease has expired', async () => {
    const owner = newUser();
    const { id } = await register(owner);
    const world = createWorld(table, (_push, count) => {
      if (count === 1) throw new Error('killed');
      return { status: 200 };
    });
    await world.queue(newEvent(owner));
    await expect(world.sweep()).rejects.toThrow('killed');
    world.pass(59);
    await world.sweep();
    expect(world.pushes).toHaveLength(1);
    world.pass(1);
    await world.sweep();
    expect(world.pushes).toHaveLength(2);
    expect(await readLog(table, id, 100)).toMatchObject([
      { state: 'delivered', tryCount: 2, tries: [{ status: 200 }] },
    ]);
  });

  it('are given up after a day, even if every sweep died', async () => {
    const owner = newUser();
    const { id } = await register(owner);
    const world = createWorld(table, () => {
      throw new Error('killed');
    });
    await world.queue(newEvent(owner));
    await expect(world.sweep()).rejects.toThrow();
    world.pass(day + 1);
    await world.sweep();
    expect(world.pushes).toHaveLength(1);
    expect(await readLog(table, id, 100)).toMatchObject([
      { state: 'given-up', tries: [{ reason: 'the event is more than a day old' }] },
    ]);
  });

  it('are tried once, however late the first try comes', async () => {
    const owner = newUser();
    const { id } = await register(owner);
    const world = createWorld(table, () => ({ status: 200 }));
    await world.queue(newEvent(owner));
    world.pass(day + 1);
    await world.sweep();
    expect(await readLog(table, id, 100)).toMatchObject([{ state: 'delivered', tryCount: 1 }]);
  });

  it('that are deleted are no longer called', async () => {
    const owner = newUser();
    const { id } = await register(owner);
    const world = createWorld(table, () => ({ status: 500 }));
    for (let count = 0; count < 3; count += 1) await world.tell(newEvent(owner));
    await deleteWebhook(table, owner, id);
    world.pass(60);
    await world.sweep();
    expect(world.pushes).toHaveLength(1);
    expect(await world.countDue()).toBe(0);
    const log = await readLog(table, id, 100);
    expect(log.map(({ state, tries }) => [state, tries.at(-1)?.reason])).toEqual(
      Array(3).fill(['given-up', 'the webhook was deleted']),
    );
  });

  it('whose last try failed are left to the schedule until one arrives', async () => {
    const owner = newUser();
    const { id } = await register(owner);
    const answers = [500, 500, 200, 200];
    const world = createWorld(table, (_push, count) => ({ status: answers[count - 1] ?? 200 }));
    const readFailing = async () => (await listWebhooks(table, owner))[0]?.failingSince;
    await world.tell(newEvent(owner));
    expect(await readFailing()).toEqual(start);
    await world.tell(newEvent(owner));
    expect(world.pushes).toHaveLength(1);
    // The second event is due at once. The first failed a moment ago.
    world.pass(1);
    await world.sweep();
    expect(world.pushes).toHaveLength(2);
    expect(await readFailing()).toEqual(start);
    world.pass(60);
    await world.sweep();
    expect(await readFailing()).toBeUndefined();
    expect(world.pushes).toHaveLength(4);
    await world.tell(newEvent(owner));
    expect(world.pushes).toHaveLength(5);
    const states = (await readLog(table, id, 100)).map(({ state }) => state);
    expect(states).toEqual(['delivered', 'delivered', 'delivered']);
  });

  it('get a test once, and only the webhook that was named', async () => {
    const owner = newUser();
    const { id } = await register(owner, { url: 'https://one.example.org/' });
    await register(owner, { url: 'https://two.example.org/' });
    const world = createWorld(table, () => ({ status: 500 }));
    await expect(queueTest(table, newUser(), id, start)).rejects.toThrow(WebhookNotFoundError);
    const { eventId } = await queueTest(table, owner, id, start);
    await world.sweep();
    world.pass(day);
    await world.sweep();
    expect(world.pushes.map(({ push }) => [push.url, push.headers['webhook-id']])).toEqual([
      ['https://one.example.org/', eventId],
    ]);
    expect(await readLog(table, id, 100)).toMatchObject([
      { eventType: 'webhook.test', state: 'given-up', tries: [{ status: 500 }] },
    ]);
  });

  it('get a delivery again, days later, with the same body, and its retries', async () => {
    const owner = newUser();
    const { id } = await register(owner);
    const world = createWorld(table, (_push, count) => ({ status: count === 2 ? 500 : 200 }));
    await world.tell(newEvent(owner));
    const [first] = await readLog(table, id, 1);
    world.pass(5 * day);
    await queueAgain(table, owner, id, deliveryId(first!), world.now());
    await world.sweep();
    expect(await readLog(table, id, 1)).toMatchObject([{ state: 'waiting', tryCount: 1 }]);
    world.pass(60);
    await world.sweep();
    expect(await readLog(table, id, 1)).toMatchObject([
      { state: 'delivered', tries: [{ status: 200 }, { status: 500 }, { status: 200 }] },
    ]);
    const sent = world.pushes.map(({ push: { headers, body } }) => [headers['webhook-id'], body]);
    expect(sent).toHaveLength(3);
    expect(new Set(sent.map(String)).size).toBe(1);
    const [other] = [await register(newUser())];
    await expect(
      queueAgain(table, other.owner, other.id, deliveryId(first!), world.now()),
    ).rejects.toThrow(DeliveryNotFoundError);
  });

  it('that answer slowly are left to the schedule until they are quick again', async () => {
    const owner = newUser();
    await register(owner);
    const seconds = [6, 5];
    const world: ReturnType<typeof createWorld> = createWorld(table, (_push, count) => {
      world.pass(seconds[count - 1] ?? 0);
      return { status: 200 };
    });
    await world.tell(newEvent(owner));
    await world.tell(newEvent(owner));
    expect(world.pushes).toHaveLength(1);
    world.pass(1);
    await world.sweep();
    expect(world.pushes).toHaveLength(2);
    await world.tell(newEvent(owner));
    expect(world.pushes).toHaveLength(3);
    expect(await world.countDue()).toBe(0);
  });

  it('that fail do not delay other webhooks of their owner', async () => {
    const owner = newUser();
    await register(owner, { url: 'https://down.example.org/' });
    await register(owner, { url: 'https://up.example.org/' });
    const world = createWorld(table, ({ url }) => ({ status: url.includes('up') ? 200 : 500 }));
    for (let count = 0; count < 3; count += 1) await world.tell(newEvent(owner));
    const called = world.pushes.map(({ push }) => push.url).sort();
    expect(called).toEqual([
      'https://down.example.org/',
      ...Array(3).fill('https://up.example.org/'),
    ]);
    world.pass(60);
    await world.sweep();
    for (const { id } of await listWebhooks(table, owner)) await deleteWebhook(table, owner, id);
    world.pass(day);
    await world.sweep();
  });

  it('that were deleted during a failed try stay deleted', async () => {
    const owner = newUser();
    const { id } = await register(owner);
    const due = await queueDeliveries(table, newEvent(owner), start);
    await deliver(table, due, {
      now: () => start,
      random: () => 0,
      send: async () => {
        await deleteWebhook(table, owner, id);
        return { status: 410 };
      },
    });
    expect(await listWebhooks(table, owner)).toEqual([]);
  });

  it('that switch protocols fail at once, even ten of them', async () => {
    const owner = newUser();
    const peer = await startHostilePeer('switched protocols');
    onTestFinished(() => peer.close());
    const webhooks = [];
    for (let count = 0; count < 10; count += 1) {
      webhooks.push(await register(owner, { url: `${peer.url}/${count}` }));
    }
    await queueDeliveries(table, newEvent(owner), start);
    // Longer than the test's timeout, so only a response can end them.
    const send = openSender({ rules: { toLoopback: true }, timeoutSeconds: 600 });
    await deliverDue(table, { send, now: () => start, random: () => 0 });
    expect(peer.calls).toBe(10);
    for (const { id } of webhooks) {
      expect(await readLog(table, id, 1)).toMatchObject([
        { state: 'waiting', tries: [{ status: 101, reason: 'protocols are not switched' }] },
      ]);
      await deleteWebhook(table, owner, id);
    }
    await deliverDue(table, { send, now: () => new Date(start.getTime() + 60_000) });
  });

  it('are left alone by a process that shuts down, and its aborted tries are repeated after the lease', async () => {
    const owner = newUser();
    const { id } = await register(owner);
    const shutdown = new AbortController();
    announceShutdownBy(shutdown.signal);
    onTestFinished(() => announceShutdownBy());
    const world = createWorld(table, () => {
      if (!shutdown.signal.aborted) {
        shutdown.abort();
        return { abandoned: true };
      }
      return { status: 200 };
    });
    for (let count = 0; count < 2; count += 1) await world.queue(newEvent(owner));
    await world.sweep();
    expect(world.pushes).toHaveLength(1);
    const tried = await readLog(table, id, 100);
    expect(tried.map(({ tryCount }) => tryCount).sort()).toEqual([0, 1]);
    expect(tried).toMatchObject([
      { state: 'waiting', tries: [] },
      { state: 'waiting', tries: [] },
    ]);

    announceShutdownBy();
    world.pass(60);
    await world.sweep();
    const states = (await readLog(table, id, 100)).map(({ state }) => state);
    expect(states).toEqual(['delivered', 'delivered']);
  });

  it('appear in the log once each, in pages of any size', async () => {
    const owner = newUser();
    const { id } = await register(owner);
    const world = createWorld(table, () => ({ status: 200 }));
    for (let count = 0; count < 5; count += 1) await world.queue(newEvent(owner));
    await world.sweep();
    const whole = (await readLog(table, id, 100)).map(({ eventId }) => eventId);
    expect(new Set(whole).size).toBe(5);
    for (const limit of [1, 2, 5]) {
      const seen: string[] = [];
      let place: string | undefined;
      let pages = 0;
      do {
        const page = await readDeliveries(table, id, limit, place);
        seen.push(...page.entries.map(({ eventId }) => eventId));
        place = page.next;
        pages += 1;
      } while (place !== undefined && pages < 10);
      expect(seen).toEqual(whole);
      expect(pages).toBe(Math.ceil(5 / limit));
    }
  });

  it('that are slow get five seconds of a sweep, and the rest waits for a minute', async () => {
    const owner = newUser();
    const { id } = await register(owner);
    const world = createWorld(table, () => {
      world.pass(2.5);
      return { status: 200 };
    });
    for (let count = 0; count < 5; count += 1) await world.queue(newEvent(owner));
    const readCounts = async () =>
      (await readLog(table, id, 100)).map(({ tryCount }) => tryCount).sort();
    await world.sweep();
    expect(await readCounts()).toEqual([0, 0, 1, 1, 1]);
    await world.sweep();
    expect(await readCounts()).toEqual([0, 0, 1, 1, 1]);
    world.pass(60);
    await world.sweep();
    expect(await readCounts()).toEqual([1, 1, 1, 1, 1]);
    expect(await world.countDue()).toBe(0);
  });

  it('are called ten at a time, and none after 40 seconds', async () => {
    const owners = [newUser(), newUser()];
    // The first response takes all the time. Pushes that started beside it end, and no more start.
    const world = createWorld(table, (_push, count) => {
      if (count % 10 === 1) world.pass(41);
      return { status: 200 };
    });
    for (const owner of owners) {
      for (let count = 0; count < 10; count += 1) await register(owner);
      await world.queue(newEvent(owner));
    }
    await world.sweep();
    expect(world.pushes).toHaveLength(10);
    await world.sweep();
    expect(world.pushes).toHaveLength(20);
    expect(await world.countDue()).toBe(0);
  });

  it('keep the last 20 tries, and their log for 30 days', async () => {
    const owner = newUser();
    const { id } = await register(owner);
    const world = createWorld(table, (_push, count) => ({ status: 500 + count }));
    await world.tell(newEvent(owner));
    const [due] = await findDueDeliveries(table, new Date('2100-01-01'), 10);
    for (let count = 0; count < 21; count += 1) {
      // The clock stands still, so the day does not end. Each try is made due at once.
      const [next] = await findDueDeliveries(table, new Date('2100-01-01'), 10);
      await deliver(table, [next!], {
        now: () => start,
        random: () => 0,
        send: async () => ({ status: 600 + count }),
      });
    }
    const [delivery] = await readLog(table, id, 100);
    expect(delivery?.tryCount).toBe(22);
    expect(delivery?.tries.map(({ status }) => status)).toEqual(
      Array.from({ length: 20 }, (_, index) => 601 + index),
    );
    expect(await readItem(table, due!, ({ expires_at }) => expires_at)).toBe(
      start.getTime() / 1000 + 30 * day,
    );
  });

  // The last test here, because it leaves many due deliveries.
  it('that are slow do not delay deliveries behind the first page', async () => {
    const owner = newUser();
    await register(owner, { url: 'https://slow.example.org/' });
    const world = createWorld(table, ({ url }) => {
      if (url.includes('slow')) world.pass(10);
      return { status: 200 };
    });
    for (let batch = 0; batch < 23; batch += 1) {
      await Promise.all(Array.from({ length: 10 }, () => world.queue(newEvent(owner))));
    }
    world.pass(1);
    const other = newUser();
    const quick = await register(other);
    await world.queue(newEvent(other));
    await world.sweep();
    expect(world.pushes.map(({ push }) => push.url).sort()).toEqual([
      'https://app.example.org/',
      'https://slow.example.org/',
    ]);
    expect(await readLog(table, quick.id, 1)).toMatchObject([{ state: 'delivered' }]);
  });
});
