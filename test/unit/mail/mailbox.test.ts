import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import {
  type MailboxUpdate,
  putLink,
  putNote,
  readMailbox,
  saveMailbox,
} from '#lib/mail/mailbox.ts';
import { dueKeys, mailboxKey } from '#lib/table/keys.ts';
import { readItem } from '#lib/table/reads.ts';
import type { Table } from '#lib/table/table.ts';
import { putItem } from '#lib/table/writes.ts';
import { openInProcessTable } from '#test/engines/in-process.ts';
import { interruptBefore } from '#test/engines/interrupt.ts';
import { userId } from '#test/fixtures/names.ts';

let opened: Awaited<ReturnType<typeof openInProcessTable>>;
let table: Table;
beforeAll(async () => {
  opened = await openInProcessTable('mailboxes');
  table = opened.table;
});
afterAll(() => opened.close());
afterEach(() => vi.restoreAllMocks());

const user = userId('1');
const leased = new Date('2026-11-15T10:05:00Z');
const now = new Date('2026-11-15T10:01:00Z');
const later = new Date('2026-11-15T10:06:00Z');
const email = 'ada@example.org';

const written = (id: string) => ({
  id,
  topic: 'job.ended' as const,
  at: '2026-11-15T10:00:00.000Z',
  headline: 'Job AF17 was successful',
  place: 'proj_hpc_one_01 on hpc_one',
  facts: [['Submitted', '2026-11-15 08:30 UTC'] as const],
  page: 'jobs/hpc_one/proj_hpc_one_01/AF17/',
  command: 'slipway job AF17',
});
const note = (id: string) => ({ ...written(id), at: new Date(written(id).at) });

async function hold(item: object) {
  const head = { type: 'mailbox', schema_version: 1, user };
  const due = { ...dueKeys('MAIL', leased), due_at: leased.toISOString() };
  await putItem(table, { Item: { ...mailboxKey(user), ...head, ...due, ...item } });
  return (await readMailbox(table, user))!;
}

it('a mailbox is stored in this shape', async () => {
  const at = '2026-11-15T09:00:00.000Z';
  const item = { notes: [written('e-1')], more: 2, confirm: email, mails_at: [at], tries: 3 };
  expect(await hold(item)).toEqual({
    user,
    notes: [note('e-1')],
    more: 2,
    confirm: email,
    mailsAt: [new Date(at)],
    tries: 3,
    dueAt: leased,
  });
});

const told: MailboxUpdate = { told: 1, more: 0, mailsAt: [], tries: 0 };
const [first, second] = [written('e-1'), written('e-2')];

it.each([
  { why: 'nothing is left', left: {}, after: {} },
  {
    why: 'a note came meanwhile',
    left: { notes: [first, second] },
    after: { notes: [note('e-2')], dueAt: now },
  },
  { why: 'there was no room for one', left: { more: 1 }, after: { more: 1, dueAt: now } },
  {
    why: 'the link is to be sent again',
    before: { confirm: email },
    update: { confirm: email, dueAt: later },
    after: { confirm: email, dueAt: later },
  },
  {
    why: 'nothing says when the link is sent again',
    before: { confirm: email },
    update: { confirm: email },
    after: { confirm: email, dueAt: now },
  },
])('a mailbox is due after a mail if something is left: $why', async (example) => {
  const { before = {}, left = {}, update = {}, after } = example;
  const claimed = await hold({ notes: [first], ...before });
  await hold({ notes: [first], ...before, ...left });
  await saveMailbox(table, claimed, { ...told, ...update }, now);
  const expected = { user, more: 0, tries: 0, mailsAt: [], ...after };
  expect(await readMailbox(table, user)).toEqual(expected);
  const isDue = await readItem(table, mailboxKey(user), (item) => 'due' in item);
  expect(isDue).toBe('dueAt' in after);
});

it('a link that is asked for while the outcome is written is not lost', async () => {
  const claimed = await hold({ notes: [first] });
  interruptBefore(table, 'UpdateItemCommand', () => putLink(table, user, email, now));
  await saveMailbox(table, claimed, told, now);
  expect(await readMailbox(table, user)).toMatchObject({ confirm: email, dueAt: now });
});

it.each([{ room: true }, { room: false }])(
  'a note fails with the table, also if there is room: $room',
  async ({ room }) => {
    const notes = Array.from({ length: room ? 1 : 100 }, (_, index) => written(`e-${index}`));
    await hold({ notes });
    const away = new Error('The table is away.');
    const send = table.client.send.bind(table.client);
    const sent = vi.spyOn(table.client, 'send');
    if (!room) sent.mockImplementationOnce(send);
    sent.mockRejectedValueOnce(away);
    await expect(putNote(table, user, note('e-new'), now)).rejects.toThrow(away);
    expect(await readMailbox(table, user)).toMatchObject({
      notes: notes.map(({ id }) => ({ id })),
      more: 0,
    });
  },
);
