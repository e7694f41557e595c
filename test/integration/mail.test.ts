import { expect, it, onTestFinished, vi } from 'vitest';
import type { UserId } from '#lib/catalog/identifiers.ts';
import type { EventType, SlipwayEvent } from '#lib/events/event.ts';
import { changePreferences } from '#lib/mail/change-preferences.ts';
import { LinkNotValidError, TooManyLinksError } from '#lib/mail/errors.ts';
import { createMailPasses } from '#lib/mail/mail-passes.ts';
import { readMailbox } from '#lib/mail/mailbox.ts';
import { topics } from '#lib/mail/preferences.ts';
import { confirmEmail, unsubscribe } from '#lib/mail/preferences-store.ts';
import { queueMail } from '#lib/mail/queue-mail.ts';
import { readPreferences } from '#lib/mail/read-preferences.ts';
import { type SendMail, sendDueMail } from '#lib/mail/send-due-mail.ts';
import { openSmtpSender } from '#lib/mail/smtp-sender.ts';
import { mailboxKey, mailedKey, profileKey } from '#lib/table/keys.ts';
import { DamagedItemError } from '#lib/table/parse-item.ts';
import { readItem } from '#lib/table/reads.ts';
import type { Table } from '#lib/table/table.ts';
import { putItem } from '#lib/table/writes.ts';
import { logger } from '#lib/telemetry/logger.ts';
import { keepMeasurements } from '#lib/telemetry/measurements.ts';
import { userId } from '#test/fixtures/names.ts';
import { onEveryEngine, tableForAll } from '../engines/use-table.ts';
import { readMail, startMailServer } from '../fixtures/mail-server.ts';

const start = new Date('2026-11-15T10:00:00Z');
const minute = 60;
const passes = createMailPasses('a secret');
const publicUrl = 'https://jobs.example.org';
const from = 'Slipway <slipway@example.org>';
const all = { events: [...topics], digest: 'when-many' } as const;

const job = (title: string, more: object = {}) => ({
  project_hpc: 'HPC_ONE',
  project_name: 'proj_hpc_one_01',
  job_id: 'AF17',
  title,
  stage: 'SUCCESSFUL',
  failed: false,
  init_date: '2026-11-15T08:30:00Z',
  ...more,
});

const profile = (user: UserId) => ({
  ...profileKey(user),
  type: 'profile',
  schema_version: 1,
  user,
  first_seen: start.toISOString(),
});

/** A real mail server, and a clock that the test moves. */
async function createWorld(table: Table, refuse?: Parameters<typeof startMailServer>[0]) {
  const server = await startMailServer(refuse);
  const send = openSmtpSender({ from, smtpUrl: server.url });
  let now = start;
  let events = 0;
  return {
    received: server.received,
    mails: () => server.received.map(({ raw }) => readMail(raw)),
    now: () => now,
    pass(seconds: number) {
      now = new Date(now.getTime() + seconds * 1000);
    },
    tell: async (owner: UserId, data: SlipwayEvent['data'], type: EventType = 'job.ended') => {
      events += 1;
      const event = { id: `e-${events}`, type, owner, at: now, data };
      await queueMail(table, event, now);
      return event;
    },
    /** Sends what is due, by the server unless another way is given. */
    sweep: (otherwise: SendMail = send) =>
      sendDueMail(table, { send: otherwise, passes, publicUrl, clock: () => now }),
  };
}

const refuse: SendMail = () => Promise.reject(new Error('The server is away.'));

onEveryEngine('mail on $name', (engine) => {
  const table = tableForAll(engine);
  let users = 0;

  /** A user whose token has a verified address. */
  async function subscribe(wish: object = {}) {
    users += 1;
    const user = userId(String(users));
    const email = `user${users}@example.org`;
    await putItem(table, { Item: profile(user) });
    await changePreferences(table, user, { ...all, email, ...wish }, email, start);
    return { user, email };
  }

  it('tells of a maintenance whoever has an active job on the system, once', async () => {
    const world = await createWorld(table);
    const people = [await subscribe(), await subscribe(), await subscribe()];
    const [queued, running, elsewhere] = people;
    const quiet = await subscribe({ events: ['job.ended'] });
    const active = async (user: UserId, hpc: string, due: string) =>
      putItem(table, {
        Item: {
          PK: `USER#${user}`,
          SK: `LIFE#${hpc}#project#JOB-${due}`,
          due: `DUE#${due}`,
          due_at: '2027-01-01T00:00:00.000Z',
        },
      });
    await active(queued!.user, 'hpc_one', 'hpc_one#0');
    await active(queued!.user, 'hpc_one', 'WAITING#1');
    await active(running!.user, 'hpc_one', 'hpc_one#LOOKS#3');
    await active(elsewhere!.user, 'hpc_two', 'WAITING#1');
    await active(quiet.user, 'hpc_one', 'hpc_one#1');
    const data = {
      hpc: 'hpc_one',
      from: '2026-12-01T08:00:00Z',
      until: '2026-12-01T16:00:00Z',
      reason: 'New firmware.',
    };
    const event = { id: 'm-1', type: 'system.maintenance-announced' as const, at: start, data };
    await queueMail(table, event, world.now());
    await queueMail(table, event, world.now());
    await world.sweep();
    const mails = world.mails();
    expect(mails.map(({ header }) => header('subject'))).toEqual(
      Array(2).fill('Maintenance of hpc_one is coming'),
    );
    const to = world.received.flatMap((mail) => mail.to);
    expect(to.sort()).toEqual([queued!.email, running!.email].sort());
    expect(mails[0]?.text).toMatch(/Until +2026-12-01 16:00 UTC\r?\nReason +New firmware/);
  });

  it('tells the owner, and nobody else, once however often the event comes', async () => {
    const world = await createWorld(table);
    const { user, email } = await subscribe();
    await subscribe();
    const event = await world.tell(user, job('a job title'));
    await queueMail(table, event, world.now());
    await world.sweep();
    await queueMail(table, event, world.now());
    world.pass(60 * minute);
    await world.sweep();
    expect(world.received.map(({ from, to }) => [from, to])).toEqual([
      ['slipway@example.org', [email]],
    ]);
    const [mail] = world.mails();
    expect(mail?.header('Subject')).toBe("Job 'a job title' was successful");
    expect(mail?.header('To')).toBe(email);
    expect(mail?.header('Message-ID')).toMatch(/^<[0-9a-f]{32}@example\.org>$/);
    expect(mail?.text).toContain('Project    proj_hpc_one_01 on hpc_one');
    expect(mail?.text).toContain('Ended      2026-11-15 10:00 UTC');
    expect(mail?.header('Auto-Submitted')).toBe('auto-generated');
    expect(await readItem(table, mailedKey(user, event.id), (item) => item)).toMatchObject({
      type: 'mailed',
      // A week later.
      expires_at: Date.parse('2026-11-22T10:00:00Z') / 1000,
    });
    // Nothing of an empty mailbox is in the index of what is due.
    expect(await readItem(table, mailboxKey(user), (item) => item)).not.toHaveProperty('due');
  });

  it('is in the language of its reader, as are the pages behind its links', async () => {
    const world = await createWorld(table);
    const { user, email } = await subscribe({ language: 'de' });
    const other = await subscribe();
    await world.tell(user, job('Probe'));
    await world.tell(other.user, job('Probe'));
    const wish = { email: `new-${email}` };
    await changePreferences(table, user, wish, undefined, world.now());
    await world.sweep();
    const beginnings = (to: string) =>
      world.mails().flatMap((mail) => (mail.header('To') === to ? mail.text.split('\r\n')[0] : []));
    expect(beginnings(email)).toEqual(['Job „Probe“ war erfolgreich']);
    expect(beginnings(other.email)).toEqual(["Job 'Probe' was successful"]);
    expect(beginnings(wish.email)).toEqual([
      expect.stringMatching(/^Mit einem Konto bei jobs\.example\.org /),
    ]);
    const linksOf = (to: string) =>
      world
        .mails()
        .flatMap((mail) =>
          mail.header('To') === to ? (mail.text.match(/https:\S+\?pass=\S+/g) ?? []) : [],
        );
    const german = [...linksOf(email), ...linksOf(wish.email)];
    expect(german).toHaveLength(2);
    for (const link of german) expect(link).toMatch(/&language=de$/);
    expect(linksOf(other.email).join()).not.toContain('language');
  });

  it('ends with one click, as RFC 8058 says, and with no other address', async () => {
    const world = await createWorld(table);
    const { user, email } = await subscribe();
    await world.tell(user, job('a job title'));
    await world.sweep();
    const [mail] = world.mails();
    expect(mail?.header('List-Unsubscribe-Post')).toBe('List-Unsubscribe=One-Click');
    const [, pass = ''] =
      /^<https:\/\/jobs\.example\.org\/mail\/unsubscribe\/\?pass=([\w.-]+)>$/.exec(
        mail?.header('List-Unsubscribe') ?? '',
      ) ?? [];
    expect(mail?.text).toContain(`?pass=${pass}`);
    const years = new Date('2031-11-01T00:00:00Z');
    expect(passes.read('unsubscribe', pass, years)).toEqual({ user, email });
    // A pass for one purpose is none for the other.
    expect(() => passes.read('confirm', pass, start)).toThrow(LinkNotValidError);
    await unsubscribe(table, passes.read('unsubscribe', pass, start), world.now());
    expect(await readPreferences(table, user)).not.toHaveProperty('email');
    await world.tell(user, job('another'));
    world.pass(60 * minute);
    await world.sweep();
    expect(world.received).toHaveLength(1);
    const other = `new-${email}`;
    await changePreferences(table, user, { ...all, email: other }, other, world.now());
    await unsubscribe(table, { user, email }, world.now());
    expect(await readPreferences(table, user)).toMatchObject({ email: other });
  });

  it('goes to an address of the token at once, and to any other one after its link', async () => {
    const world = await createWorld(table);
    users += 1;
    const user = userId(String(users));
    await putItem(table, { Item: profile(user) });
    const wish = { ...all, email: 'me@example.org' };
    expect(
      await changePreferences(table, user, wish, 'other@example.org', world.now()),
    ).toMatchObject({ waitingEmail: 'me@example.org' });
    await world.tell(user, job('before'));
    await world.sweep();
    const [link] = world.mails();
    expect(world.received.map(({ to }) => to)).toEqual([['me@example.org']]);
    expect(link?.header('Subject')).toBe('Confirm your address for Slipway');
    expect(link?.text).not.toContain('before');
    const [, pass = ''] = /\/mail\/confirm\/\?pass=([\w.-]+)/.exec(link?.text ?? '') ?? [];
    const late = new Date(start.getTime() + 73 * 3_600_000);
    expect(() => passes.read('confirm', pass, late)).toThrow(LinkNotValidError);
    await confirmEmail(table, passes.read('confirm', pass, world.now()), world.now());
    await confirmEmail(table, passes.read('confirm', pass, world.now()), world.now());
    const stored = await readPreferences(table, user);
    expect(stored?.email).toBe('me@example.org');
    expect(stored).not.toHaveProperty('waitingEmail');
    await world.tell(user, job('after'));
    await world.sweep();
    expect(world.mails().map((mail) => mail.header('Subject'))).toEqual([
      'Confirm your address for Slipway',
      "Job 'after' was successful",
    ]);
    // A link of an address that the user has given up confirms nothing.
    await changePreferences(table, user, { ...all, email: null }, undefined, world.now());
    await expect(confirmEmail(table, { user, email: 'me@example.org' })).rejects.toThrow(
      LinkNotValidError,
    );
  });

  it('sends at most five links a day for one user', async () => {
    users += 1;
    const user = userId(String(users));
    const ask = (number: number, at: Date) =>
      changePreferences(
        table,
        user,
        { ...all, email: `victim${number}@example.org` },
        undefined,
        at,
      );
    for (const number of [1, 2, 3, 4, 5]) await ask(number, start);
    const soon = new Date(start.getTime() + 500);
    await expect(ask(6, soon)).rejects.toBeInstanceOf(TooManyLinksError);
    await expect(ask(6, soon)).rejects.toMatchObject({
      message: expect.stringContaining('5 links'),
      retryAfterSeconds: 24 * 3600,
    });
    // Everything else can be changed.
    await changePreferences(table, user, { digest: 'daily' }, undefined, start);
    await ask(7, new Date(start.getTime() + 24 * 3_600_000));
    expect((await readPreferences(table, user))?.askedAt).toHaveLength(5);
  });

  it('sends a link at once, unless its address was given up before', async () => {
    const world = await createWorld(table);
    const { user, email } = await subscribe();
    for (const title of ['one', 'two', 'three', 'four']) {
      await world.tell(user, job(title));
      await world.sweep();
    }
    const wish = { ...all, email: `other-${email}` };
    await changePreferences(table, user, wish, undefined, world.now());
    await world.sweep();
    expect(world.received.slice(3).map(({ to }) => to)).toContainEqual([`other-${email}`]);
    const before = world.received.length;
    await changePreferences(table, user, { email: `third-${email}` }, undefined, world.now());
    await changePreferences(table, user, { email: null }, undefined, world.now());
    await world.sweep();
    expect(world.received).toHaveLength(before);
  });

  it('keeps each of two changes at the same time', async () => {
    const { user } = await subscribe();
    await Promise.all([
      changePreferences(table, user, { digest: 'daily' }, undefined, new Date(1e12)),
      changePreferences(table, user, { events: ['quota.low'] }, undefined, new Date(2e12)),
    ]);
    expect(await readPreferences(table, user)).toMatchObject({
      digest: 'daily',
      events: ['quota.low'],
    });
  });

  it('puts nothing into the mailbox of somebody without an address, and sends nothing from it', async () => {
    const world = await createWorld(table);
    const { user, email } = await subscribe();
    await world.tell(user, job('before'));
    await unsubscribe(table, { user, email }, world.now());
    await world.sweep();
    expect(world.received).toEqual([]);
    // What was not sent does not count as one of three mails.
    expect((await readMailbox(table, user))?.mailsAt ?? []).toEqual([]);
    await world.tell(user, job('after'));
    expect(await readMailbox(table, user)).not.toHaveProperty('notes');
    users += 1;
    const unknown = userId(String(users));
    await unsubscribe(table, { user: unknown, email }, world.now());
    await world.tell(unknown, job('never'));
    expect(await readMailbox(table, unknown)).toBeUndefined();
  });

  it('is sent once by two processes, however slow one of them is', async () => {
    const world = await createWorld(table);
    const { user, email } = await subscribe();
    await world.tell(user, job('a job title'));
    const sent: string[] = [];
    await world.sweep(async ({ to }) => {
      sent.push(to);
      world.pass(4 * minute);
      await world.sweep();
    });
    expect(sent).toEqual([email]);
    expect(world.received).toEqual([]);
    const failed = vi.spyOn(logger, 'error');
    onTestFinished(() => failed.mockRestore());
    await world.tell(user, job('another'));
    await Promise.all([world.sweep(), world.sweep()]);
    expect(world.received).toHaveLength(1);
    expect(failed).not.toHaveBeenCalled();
  });

  it('reaches the others if a record of somebody is damaged', async () => {
    const world = await createWorld(table);
    const [{ user: damaged }, { user, email }] = [await subscribe(), await subscribe()];
    await world.tell(damaged, job('one'));
    await world.tell(user, job('two'));
    await putItem(table, { Item: { ...profile(damaged), first_seen: 7 } });
    const failed = vi.spyOn(logger, 'error');
    onTestFinished(() => failed.mockRestore());
    await world.sweep();
    expect(world.received.map(({ to }) => to)).toEqual([[email]]);
    const error = expect.any(DamagedItemError);
    expect(failed.mock.calls).toEqual([['a mailbox was not attended', { error }]]);
    await putItem(table, { Item: profile(damaged) });
    await world.sweep();
    expect(world.received).toHaveLength(2);
  });

  it('goes by the clock of the machine if there is no other', async () => {
    const { user, email } = await subscribe();
    await queueMail(table, {
      id: 'now',
      type: 'job.ended',
      owner: user,
      at: start,
      data: job('n'),
    });
    const sent: string[] = [];
    await sendDueMail(table, {
      passes,
      publicUrl,
      send: async ({ to }) => {
        sent.push(to);
      },
    });
    expect(sent).toContain(email);
  });

  it('is a digest when there are many: three mails in a quarter of an hour, then one', async () => {
    const world = await createWorld(table);
    const { user } = await subscribe();
    for (const number of [1, 2, 3, 4, 5, 6, 7, 8]) {
      await world.tell(user, job(`number ${number}`, { failed: number === 7 }));
      await world.sweep();
      world.pass(minute);
    }
    expect(world.received).toHaveLength(3);
    world.pass(15 * minute);
    await world.sweep();
    expect(world.received).toHaveLength(4);
    const digest = world.mails()[3];
    expect(digest?.header('Subject')).toBe('5 jobs have ended');
    for (const number of [4, 5, 6, 8]) {
      expect(digest?.text).toContain(`Job 'number ${number}' was successful`);
    }
    expect(digest?.text).toContain("Job 'number 7' failed");
    expect(digest?.text).not.toContain('number 3');
    // The bound needs the last three alone.
    expect((await readMailbox(table, user))?.mailsAt).toHaveLength(3);
  });

  it('is one mail for many events at once, which lists a hundred and counts the rest', async () => {
    const world = await createWorld(table);
    const { user } = await subscribe();
    for (let number = 1; number <= 103; number += 1) await world.tell(user, job(`n${number}`));
    // The last event comes twice at once.
    const event = {
      id: 'twice',
      type: 'job.ended',
      owner: user,
      at: start,
      data: job('n'),
    } as const;
    await Promise.all([queueMail(table, event, start), queueMail(table, event, start)]);
    await world.sweep(refuse);
    world.pass(minute);
    await world.sweep();
    world.pass(60 * minute);
    await world.sweep();
    expect(world.mails().map((mail) => mail.header('Subject'))).toEqual([
      '100 jobs have ended, 4 more',
    ]);
    expect(world.mails()[0]?.text).toContain('And 4 more,');
  });

  it('comes on the same morning if the night is not over', async () => {
    const world = await createWorld(table);
    world.pass(19 * 60 * minute);
    const { user } = await subscribe({ digest: 'daily' });
    await world.tell(user, job('at five'));
    await world.sweep();
    world.pass(59 * minute);
    await world.sweep();
    expect(world.received).toEqual([]);
    world.pass(minute);
    await world.sweep();
    expect(world.received).toHaveLength(1);
    // What happens at six is for the next morning.
    await world.tell(user, job('at six'));
    world.pass(24 * 60 * minute - 1);
    await world.sweep();
    expect(world.received).toHaveLength(1);
    world.pass(1);
    await world.sweep();
    expect(world.received).toHaveLength(2);
  });

  it('comes once a day if the user wants that', async () => {
    const world = await createWorld(table);
    const { user } = await subscribe({ digest: 'daily' });
    await world.tell(user, job('one'));
    await world.sweep();
    world.pass(19 * 60 * minute);
    await world.tell(user, job('two'));
    await world.sweep();
    expect(world.received).toEqual([]);
    world.pass(60 * minute);
    await world.sweep();
    expect(world.mails().map((mail) => mail.header('Subject'))).toEqual(['2 jobs have ended']);
  });

  it('tells only what the user wants, and no job of a batch', async () => {
    const world = await createWorld(table);
    const { user } = await subscribe({ events: ['quota.low'] });
    await world.tell(user, job('unwanted'));
    await world.tell(user, job('submitted'), 'job.submitted');
    const { user: other } = await subscribe();
    await world.tell(other, job('of a batch', { batch: '019A', index: 1 }));
    await world.sweep();
    expect(world.received).toEqual([]);
  });

  it('is not sent to somebody who was banned or removed', async () => {
    const world = await createWorld(table);
    users += 1;
    const removed = userId(String(users));
    const email = 'removed@example.org';
    await changePreferences(table, removed, { ...all, email }, email, start);
    await world.tell(removed, job('a secret'));
    const { user } = await subscribe();
    await putItem(table, {
      Item: { ...profile(user), banned: 'left the institute' },
    });
    await world.tell(user, job('a secret'));
    await world.sweep();
    expect(world.received).toEqual([]);
    for (const each of [user, removed]) {
      expect(await readMailbox(table, each)).not.toHaveProperty('notes');
    }
    // Whoever asks for a link is there, if not yet in the table.
    await changePreferences(table, removed, { email: `new-${email}` }, undefined, world.now());
    await world.sweep();
    expect(world.received.map(({ to }) => to)).toEqual([[`new-${email}`]]);
  });

  it('is tried again if the server does not take it, with pauses, and dropped in the end', async () => {
    const once = await createWorld(table, (count) => (count === 1 ? 'busy' : undefined));
    const { user, email: mine } = await subscribe();
    await once.tell(user, job('a job title'));
    const counted: unknown[] = [];
    keepMeasurements(({ name, labels }) => counted.push([name, labels.outcome]));
    const warned = vi.spyOn(logger, 'warn');
    onTestFinished(() => {
      keepMeasurements();
      warned.mockRestore();
    });
    await once.sweep();
    await once.sweep();
    const failure = { user, tries: 1, error: expect.any(Error) };
    expect(warned.mock.calls).toEqual([['a mail was not taken', failure]]);
    const toMe = () => once.received.filter(({ to }) => to.includes(mine));
    expect(toMe()).toEqual([]);
    once.pass(minute);
    await once.sweep();
    expect(toMe()).toHaveLength(1);
    expect(counted).toEqual(['refused', 'taken'].map((outcome) => ['MailTries', outcome]));

    let offers = 0;
    const { user: gone, email } = await subscribe();
    const never = await createWorld(table, (_count, to) => {
      offers += to === email ? 1 : 0;
      return 'no such mailbox';
    });
    await never.tell(gone, job('a job title'));
    for (let hour = 0; hour < 40; hour += 1) {
      await never.sweep();
      never.pass(60 * minute);
    }
    expect(offers).toBe(8);
    expect(await readMailbox(table, gone)).not.toHaveProperty('dueAt');
  });

  it('keeps what comes while a mail is sent', async () => {
    const world = await createWorld(table);
    const { user } = await subscribe();
    await world.tell(user, job('first'));
    const slow = openSmtpSender({ from, smtpUrl: (await startMailServer()).url });
    await world.sweep(async (mail) => {
      await world.tell(user, job('second'));
      await slow(mail);
    });
    await world.sweep();
    expect(world.mails().map((mail) => mail.header('Subject'))).toEqual([
      "Job 'second' was successful",
    ]);
  });

  it('keeps what comes while a link is sent', async () => {
    const world = await createWorld(table);
    const { user, email } = await subscribe();
    await changePreferences(table, user, { email: `other-${email}` }, undefined, world.now());
    const sent: string[] = [];
    await world.sweep(async ({ to }) => {
      sent.push(to);
      await world.tell(user, job('meanwhile'));
    });
    expect(sent).toEqual([`other-${email}`]);
    await world.sweep();
    expect(world.received.map(({ to }) => to)).toEqual([[email]]);
  });

  it('keeps an address that is to be confirmed while a mail is sent, and while none can be', async () => {
    const world = await createWorld(table);
    const { user, email } = await subscribe();
    await world.tell(user, job('first'));
    const sent: string[] = [];
    await world.sweep(async ({ to }) => {
      sent.push(to);
      const wish = { email: `other-${email}` };
      await changePreferences(table, user, wish, undefined, world.now());
    });
    expect(sent).toEqual([email]);
    await world.sweep(refuse);
    world.pass(minute);
    await world.sweep();
    world.pass(60 * minute);
    await world.sweep();
    expect(world.received.map(({ to }) => to)).toContainEqual([`other-${email}`]);
    expect(await readMailbox(table, user)).not.toHaveProperty('confirm');
  });

  it('is not written by a process that was slower than its lease', async () => {
    const world = await createWorld(table);
    const { user } = await subscribe();
    await world.tell(user, job('first'));
    let mailbox = await readMailbox(table, user);
    const slow = async () => {
      // Another process claims the mailbox, and leaves it as it is.
      mailbox = await readMailbox(table, user);
      world.pass(3600);
      await world.sweep();
      await world.tell(user, job('second'));
      throw new Error('The server is away.');
    };
    await world.sweep(slow);
    expect(mailbox?.notes).toHaveLength(1);
    const after = await readMailbox(table, user);
    expect(after?.notes).toMatchObject([{ headline: "Job 'second' was successful" }]);
    expect(after?.tries).toBe(0);
  });

  it('shows titles as they are, and never as HTML or as a header', async () => {
    const world = await createWorld(table);
    const { user } = await subscribe();
    await world.tell(user, job('<img src=x onerror=alert(1)>" é 🚀 & Bcc: a@b.org'));
    await world.sweep();
    const [mail] = world.mails();
    expect(mail?.html).toContain('&lt;img src=x onerror=alert(1)&gt;&quot; é 🚀 &amp; Bcc');
    expect(mail?.html).not.toContain('<img');
    expect(mail?.text).toContain('<img src=x onerror=alert(1)>" é 🚀 & Bcc: a@b.org');
    expect(mail?.header('Bcc')).toBeUndefined();
    expect(world.received[0]?.to).toHaveLength(1);
  });
});
