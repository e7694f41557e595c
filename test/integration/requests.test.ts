import { expect, it } from 'vitest';
import { readAudit } from '#lib/audit/read-audit.ts';
import { catalog, findProject, findSystem } from '#lib/catalog/catalog.ts';
import type { RequestId, UserId } from '#lib/catalog/identifiers.ts';
import { readQuota, readQuotas } from '#lib/quotas/quota-store.ts';
import { readLedgerPage } from '#lib/quotas/read-ledger.ts';
import { askForQuota, withdrawRequest } from '#lib/requests/ask-for-quota.ts';
import { approveRequest, declineRequest } from '#lib/requests/decide-request.ts';
import { RequestEndedError, RequestOpenError } from '#lib/requests/errors.ts';
import { listRequests } from '#lib/requests/list-requests.ts';
import { findRequest, listOwnRequests } from '#lib/requests/request-store.ts';
import { queueDeliveries } from '#lib/webhooks/deliveries/queue-deliveries.ts';
import { createWebhook } from '#lib/webhooks/webhook-store.ts';
import { countUsers } from '#test/fixtures/names.ts';
import { onEveryEngine, tableForAll } from '../engines/use-table.ts';

/** A project in which the welcome grants no quota. */
const { number, hpc, name } = findProject(findSystem(catalog, 'hpc_two'), 'proj_hpc_two_02');
const project = { number, hpc, name };
const wanted = { seconds: 600, kilobytes: 20 };
const reason = 'a course';
const start = Date.parse('2026-11-15T08:30:00Z');

onEveryEngine('requests on $name', (engine) => {
  const table = tableForAll(engine);
  let seconds = 0;

  const newUser = countUsers();
  /** Returns a later moment each time. */
  const now = () => {
    seconds += 1;
    return new Date(start + seconds * 1000);
  };
  const ask = (user: UserId) => askForQuota(table, { user, project, wanted, reason }, now());
  const approve = (request: RequestId, by: string) =>
    approveRequest(table, catalog, { request, by, reason }, now());
  const decline = (request: RequestId, by: string) =>
    declineRequest(table, { request, by, reason }, now());
  const account = (user: UserId) => ({ user, hpc: project.hpc, project: project.name });

  it('are open once per project, even for simultaneous requests', async () => {
    const user = newUser();
    const tries = await Promise.allSettled(Array.from({ length: 10 }, () => ask(user)));
    const taken = tries.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    const refused = tries.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
    expect(taken).toHaveLength(1);
    expect(refused).toHaveLength(9);
    for (const error of refused) {
      expect(error).toBeInstanceOf(RequestOpenError);
      expect(error).toMatchObject({ facts: { requestId: taken[0]?.id } });
    }
    expect((await listOwnRequests(table, user, 100)).entries).toEqual(taken);
  });

  it('are decided once by simultaneous administrators, and then the user can ask again', async () => {
    const user = newUser();
    const { id } = await ask(user);
    const tries = await Promise.allSettled([
      approve(id, '100001'),
      approve(id, '100002'),
      decline(id, '100003'),
      withdrawRequest(table, user, id, now()),
      approve(id, '100001'),
    ]);
    const { state, decision } = await findRequest(table, id);
    const by = decision?.by ?? user;
    for (const each of tries) {
      if (each.status === 'fulfilled') {
        // A withdrawn request has no decision.
        const { state: answered, decision: made } = each.value;
        expect({ state: answered, decision: made }).toEqual({ state, decision });
      } else {
        expect(each.reason).toBeInstanceOf(RequestEndedError);
        expect(each.reason).toMatchObject({ facts: { state, by } });
      }
    }
    expect(tries.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const granted = (await readQuota(table, account(user)))?.time.granted ?? 0;
    expect(granted).toBe(state === 'approved' ? 600 : 0);
    await ask(user);
  });

  it('stay open when another one of the same user is decided', async () => {
    const user = newUser();
    const first = findProject(findSystem(catalog, 'hpc_one'), 'proj_hpc_one_01');
    const other = await askForQuota(table, { user, project: first, wanted, reason }, now());
    const { id } = await ask(user);
    await decline(id, '7');
    const again = askForQuota(table, { user, project: first, wanted, reason }, now());
    await expect(again).rejects.toMatchObject({ facts: { requestId: other.id } });
    await expect(again).rejects.toThrow(RequestOpenError);
    expect((await ask(user)).id).not.toBe(id);
  });

  it('that are approved make an ordinary grant, even for a new user', async () => {
    const user = newUser();
    const first = await ask(user);
    await approve(first.id, '100001');
    const second = await ask(user);
    const validUntil = new Date('2027-07-01T00:00:00Z');
    const granted = { seconds: 100, kilobytes: 0 };
    const order = { request: second.id, by: '100002', reason, granted, validUntil };
    expect(await approveRequest(table, catalog, order, now())).toMatchObject({
      state: 'approved',
      wanted,
      decision: { by: '100002', reason, granted, validUntil },
    });
    // Those of the first contact, and this one.
    expect(await readQuotas(table, user)).toHaveLength(3);
    expect(await readQuota(table, account(user))).toMatchObject({
      time: { granted: 700, left: 700 },
      space: { granted: 20, left: 20 },
      validUntil,
    });
    const list = { ...account(user), since: undefined, until: undefined };
    const { entries: lines } = await readLedgerPage(table, list, 10);
    expect(lines.map((line) => [line.kind, line.seconds, line.reason])).toEqual([
      ['grant', 100, `request ${second.id}: ${reason}`],
      ['grant', 600, `request ${first.id}: ${reason}`],
    ]);
    const { entries: acts } = await readAudit(table, { filter: { user } }, 10, undefined, now());
    expect(acts.map(({ kind, details }) => [kind, details.request_id])).toEqual([
      ['quota-granted', second.id],
      ['quota-granted', first.id],
    ]);
  });

  it('are listed for administrators by state, oldest first, page by page', async () => {
    const asked: RequestId[] = [];
    for (const user of [newUser(), newUser(), newUser()]) asked.push((await ask(user)).id);
    const [, second] = asked;
    if (second) await decline(second, '100001');
    const found: RequestId[] = [];
    let after: RequestId | undefined;
    do {
      const page = await listRequests(table, { state: 'open' }, 2, after);
      found.push(...page.entries.map(({ request }) => request.id));
      after = page.next;
    } while (after);
    expect(found.filter((id) => asked.includes(id))).toEqual([asked[0], asked[2]]);
    expect(found).toEqual(
      [...found].sort((a, b) => (a.split('-')[1]! < b.split('-')[1]! ? -1 : 1)),
    );
    const declined = await listRequests(table, { state: 'declined' }, 100);
    expect(declined.entries.map(({ request }) => request.id)).toContain(second);
  });

  it('are sent to administrators who want them, and decisions to the user', async () => {
    const [user, one, another] = [newUser(), newUser(), newUser()];
    const hook = (owner: UserId, events: ('request.opened' | 'request.approved')[]) =>
      createWebhook(table, {
        owner,
        events,
        url: 'https://app.example.org/',
        description: '',
        byAdministrator: true,
      });
    const told = [await hook(one, ['request.opened']), await hook(another, ['request.opened'])];
    const own = await hook(user, ['request.approved']);
    const event = { id: 'e-1', owner: user, at: now(), data: {} };
    const webhooksOf = async (type: 'request.opened' | 'request.approved') =>
      (await queueDeliveries(table, { ...event, type }, now())).map(({ PK }) => PK).sort();
    expect(await webhooksOf('request.opened')).toEqual(
      told.map(({ id }) => `WEBHOOK#${id}`).sort(),
    );
    expect(await webhooksOf('request.approved')).toEqual([`WEBHOOK#${own.id}`]);
  });
});
