import { describe, expect, it } from 'vitest';
import type { EventType } from '#lib/events/event.ts';
import { describeEvent, type Note } from '#lib/mail/describe-event.ts';
import { describeStatement } from '#lib/mail/mail-statements.ts';
import { mailWords } from '#lib/mail/words/words.ts';
import { writeLinkMail, writeNotesMail } from '#lib/mail/write-mail.ts';
import { userId } from '#test/fixtures/names.ts';
import { batch, job, maintenance, place, quota, request, statement } from './told-events.ts';

const words = mailWords.en;
const consoleUrl = 'https://console.example.org/console/';
const unsubscribeUrl = 'https://jobs.example.org/mail/unsubscribe/?pass=1.a.2.b';
const at = new Date('2026-11-15T10:06:00Z');
function note(type: EventType, data: object): Note {
  const told = describeEvent({ id: 'e', type, owner: userId('1'), at, data: { ...data } }, words);
  if (!told) throw new Error(`No mail tells ${type}.`);
  return told;
}

/** The text of a mail without its end. */
function write(told: Note, withConsole = true): string {
  const to = 'ada@example.org';
  const options = withConsole ? { consoleUrl } : {};
  const { text } = writeNotesMail({
    to,
    notes: [told],
    more: 0,
    unsubscribeUrl,
    words,
    ...options,
  });
  const [body = '', end] = text.split('\n\n-- \n');
  expect(end).toBe(
    `You get this mail because you asked Slipway to notify you.\nStop these mails: ${unsubscribeUrl}\n`,
  );
  return body;
}

const withoutStyles = (html: string) => html.replaceAll(/ style="[^"]*"/g, '');

describe('a mail', () => {
  it('tells how a job ended, and where to look', () => {
    expect(write(note('job.ended', job))).toBe(`Job 'a job title' was successful

Project    proj_hpc_one_01 on hpc_one
Submitted  2026-11-15 08:30 UTC
Ended      2026-11-15 10:06 UTC

See the job: ${consoleUrl}jobs/hpc_one/proj_hpc_one_01/AF17D39A/
With the command: slipway job AF17D39A`);
  });

  it('names the command alone if there is no console', () => {
    const body = write(
      note('job.ended', { ...job, title: '', stage: 'TIMEOUT', failed: true }),
      false,
    );
    expect(body).toContain('Job AF17D39A failed\n');
    expect(body).toContain('Stage      TIMEOUT\n');
    expect(body).toMatch(/\n\nSee the job: slipway job AF17D39A$/);
  });

  it.each([
    { stage: 'CANCELED', failed: false, outcome: 'was cancelled' },
    { stage: 'COMPLETED', failed: false, outcome: 'has ended' },
    { stage: 'SUCCESSFUL', failed: true, outcome: 'failed' },
  ])('says that a job $outcome', ({ stage, failed, outcome }) => {
    expect(note('job.ended', { ...job, stage, failed }).headline).toBe(
      `Job 'a job title' ${outcome}`,
    );
  });

  it('counts the ends of a batch', () => {
    expect(
      write(note('batch.ended', batch)),
    ).toBe(`Batch 'a sweep' has ended: 196 of 200 successful, 3 failed, 1 cancelled

Project  proj_hpc_one_01 on hpc_one
Ended    2026-11-15 10:06 UTC

See the batch: ${consoleUrl}batches/hpc_one/proj_hpc_one_01/019A/
With the command: slipway batch 019A`);
  });

  it('says what remains of a quota, in the unit of its system, and how to get more', () => {
    expect(write(note('quota.low', quota))).toBe(`Only 20 % of the time is left in proj_hpc_one_01

Project    proj_hpc_one_01 on hpc_one
Remaining  999.99 of 5,000 node-hours
Since      2026-11-15 10:06 UTC

Ask for more: ${consoleUrl}requests/
With the command: slipway ask proj_hpc_one_01 --time "100 node-hours" --reason "..."`);
    const space = { ...quota, resource: 'space', threshold_percent: 0, granted: 10_000_000 };
    const told = note('quota.low', space);
    expect(told.headline).toBe('No space is left in proj_hpc_one_01');
    expect(told.facts).toEqual([['Remaining', '900 MB of 10 GB']]);
    expect(told.command).toContain('--space 10GB');
  });

  it('says what was decided, with the reason', () => {
    expect(
      write(note('request.approved', request)),
    ).toBe(`Your request in proj_hpc_one_01 was approved

Project        proj_hpc_one_01 on hpc_one
You asked for  500 node-hours and 20 GB
You get        1 node-hour
Reason         for the course
Decided        2026-11-15 10:06 UTC

See your requests: ${consoleUrl}requests/
With the command: slipway requests`);
    const declined = { ...request, state: 'declined' };
    expect(note('request.declined', declined).facts).toEqual([
      ['You asked for', '500 node-hours and 20 GB'],
      ['Reason', 'for the course'],
    ]);
  });

  it.each([
    {
      until: '2026-12-01T16:00:00Z',
      headline: 'Maintenance of hpc_one is coming',
      end: '2026-12-01 16:00 UTC',
    },
    { until: null, headline: 'hpc_one is paused', end: 'until it is resumed' },
  ])('tells that $headline', ({ until, headline, end }) => {
    expect(write(note('system.maintenance-announced', { ...maintenance, until }))).toBe(`${headline}

System     hpc_one
From       2026-12-01 08:00 UTC
Until      ${end}
Reason     New firmware
Your jobs  Those that wait here are handed over afterwards.
Announced  2026-11-15 10:06 UTC

See your jobs: ${consoleUrl}jobs/
With the command: slipway systems`);
  });

  it('tells a leader what a project had and used in a month', () => {
    const told = describeStatement(statement, words);
    expect(write(told)).toBe(`Statement of proj_hpc_one_01 for October 2026

Project                  proj_hpc_one_01 on hpc_one
Opening balance          200 node-hours and 10 GB
Granted                  20 node-hours
Used by jobs that ended  61 node-hours
Closing balance          159 node-hours and 10 GB
As of                    2026-11-01 00:00 UTC

See the statement: ${consoleUrl}projects/hpc_one/proj_hpc_one_01/statement/?month=2026-10
With the command: slipway project statement proj_hpc_one_01 --month 2026-10`);
  });

  it('lists many as a digest, each with its place and time', () => {
    const notes = [note('job.ended', job), note('job.ended', job), note('quota.low', quota)];
    const mail = writeNotesMail({
      to: 'a@b.org',
      notes,
      more: 0,
      unsubscribeUrl,
      consoleUrl,
      words,
    });
    expect(mail.subject).toBe('2 jobs have ended, 1 quota is running low');
    expect(mail.text).toContain(
      "* Job 'a job title' was successful\n  proj_hpc_one_01 on hpc_one, 2026-11-15 10:06 UTC\n",
    );
    expect(mail.html).toContain(`href="${consoleUrl}jobs/hpc_one/proj_hpc_one_01/AF17D39A/"`);
  });

  it.each([true, false])('shows titles in a digest as text, with a console: %s', (withConsole) => {
    const marked = note('job.ended', { ...job, title: '<img src=x>&"' });
    const options = withConsole ? { consoleUrl } : {};
    const notes = [marked, marked];
    const mail = writeNotesMail({
      to: 'a@b.org',
      notes,
      more: 0,
      unsubscribeUrl,
      words,
      ...options,
    });
    expect(mail.html).not.toContain('<img');
    expect(mail.html).toContain('&lt;img src=x&gt;&amp;&quot;');
  });

  it('confirms an address, and says whose service asks', () => {
    const confirmUrl = 'https://jobs.example.org/mail/confirm/?pass=1.a.2.b';
    const mail = writeLinkMail({ to: 'a@b.org', confirmUrl, days: 3, words });
    expect(mail.text).toContain('an account at jobs.example.org');
    expect(mail.text).toContain(`within 3 days:\n${confirmUrl}\n`);
    expect(mail.text).toMatch(/\n\nIf it was not you, .*\n$/);
    expect(withoutStyles(mail.html)).toMatch(
      /^<!doctype html><html lang="en"><head><meta charset="utf-8"><\/head><body><div><h2>Confirm your address<\/h2><p>Somebody with an account at jobs\.example\.org .*<\/p><p>If that was you, .*<\/p><p><a href="(?<url>[^"]*)">Confirm address<\/a><\/p><p>If it was not you, .*<\/p><\/div><\/body><\/html>$/,
    );
    expect(mail.html).toContain(`href="${confirmUrl}"`);
    expect(mail.headers).toEqual({ 'Auto-Submitted': 'auto-generated' });
    const { id } = writeLinkMail({ to: 'a@b.org', confirmUrl, days: 3, words });
    expect(mail.id).toBe(id);
    const other = writeLinkMail({ to: 'a@b.org', confirmUrl: `${confirmUrl}c`, days: 3, words });
    expect(mail.id).not.toBe(other.id);
  });

  it('has the same facts as HTML, with a button where there is a console', () => {
    const mail = (options: object) =>
      withoutStyles(
        writeNotesMail({
          to: 'a@b.org',
          notes: [note('job.ended', { ...job, title: 'a & b' })],
          more: 0,
          unsubscribeUrl: `${unsubscribeUrl}&x`,
          words,
          ...options,
        }).html,
      );
    const page = (next: string) =>
      `<!doctype html><html lang="en"><head><meta charset="utf-8"></head><body><div><h2>Job 'a &amp; b' was successful</h2>` +
      '<table role="presentation" cellpadding="0" cellspacing="0"><tr><td>Project</td><td>proj_hpc_one_01 on hpc_one</td></tr>' +
      '<tr><td>Submitted</td><td>2026-11-15 08:30 UTC</td></tr><tr><td>Ended</td><td>2026-11-15 10:06 UTC</td></tr></table>' +
      `${next}<code>slipway job AF17D39A</code></p>` +
      '<p>You get this mail because you asked Slipway to notify you. ' +
      `<a href="${unsubscribeUrl}&amp;x">Stop these mails</a></p></div></body></html>`;
    const button = `<p><a href="${consoleUrl}jobs/hpc_one/proj_hpc_one_01/AF17D39A/">See the job</a></p>`;
    expect(mail({ consoleUrl })).toBe(page(`${button}<p>With the command: `));
    expect(mail({})).toBe(page('<p>See the job: '));
  });

  it.each([
    {
      options: { consoleUrl },
      row: `<a href="${consoleUrl}batches/hpc_one/proj_hpc_one_01/019A/">Batch 019A has ended: 2 of 2 successful</a>`,
      text: `See your jobs: ${consoleUrl}jobs/`,
      end: `<a href="${consoleUrl}jobs/">See your jobs</a>`,
    },
    {
      options: {},
      row: '<strong>Batch 019A has ended: 2 of 2 successful</strong>',
      text: 'See your jobs: slipway jobs',
      end: 'See your jobs: <code>slipway jobs</code>',
    },
  ])('is a digest that ends with "$text"', ({ options, row, text, end }) => {
    const counts = { done: 2, failed: 0, cancelled: 0 };
    const told = note('batch.ended', { ...place, batch_id: '019A', title: '', count: 2, counts });
    const digest = (more: number) =>
      writeNotesMail({
        to: 'a@b.org',
        notes: [told, told],
        more,
        unsubscribeUrl,
        words,
        ...options,
      });
    const whole = digest(0);
    expect(whole.subject).toBe('2 batches have ended');
    const listed =
      '* Batch 019A has ended: 2 of 2 successful\n  proj_hpc_one_01 on hpc_one, 2026-11-15 10:06 UTC';
    expect(whole.text.split('\n\n-- \n')[0]).toBe(
      ['2 batches have ended', listed, listed, text].join('\n\n'),
    );
    const cell = `<p>${row}<br><span>proj_hpc_one_01 on hpc_one, 2026-11-15 10:06 UTC</span></p>`;
    expect(withoutStyles(whole.html)).toContain(
      `<h2>2 batches have ended</h2>${cell}${cell}<p>${end}</p><p>You get`,
    );
    const cut = digest(3);
    expect(cut.subject).toBe('2 batches have ended, 3 more');
    expect(cut.text).toContain(`\n\nAnd 3 more, which this mail has no room for.\n\n${text}`);
    expect(withoutStyles(cut.html)).toContain(
      `${cell}<p>And 3 more, which this mail has no room for.</p><p>${end}</p>`,
    );
  });

  it('is a digest if one event is all that is listed of several', () => {
    const notes = [note('quota.low', quota)];
    const mail = writeNotesMail({ to: 'a@b.org', notes, more: 1, unsubscribeUrl, words });
    expect(mail.subject).toBe('1 quota is running low, 1 more');
  });

  it('can be stopped with one click, and is recognized if it comes twice', () => {
    const [one, two] = [note('job.ended', job), { ...note('job.ended', job), id: 'f' }];
    const write = (to: string, notes: Note[], more = 0) =>
      writeNotesMail({ to, notes, more, unsubscribeUrl, words });
    expect(write('a@b.org', [one]).headers).toEqual({
      'List-Unsubscribe': `<${unsubscribeUrl}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      'Auto-Submitted': 'auto-generated',
    });
    const mails = [
      write('a@b.org', [one]),
      write('c@b.org', [one]),
      write('a@b.org', [two]),
      write('a@b.org', [one, two]),
      write('a@b.org', [one], 1),
    ];
    expect(new Set(mails.map(({ id }) => id)).size).toBe(mails.length);
    expect(write('a@b.org', [one]).id).toBe(mails[0]?.id);
    expect(mails[0]?.id).toMatch(/^[0-9a-f]{32}$/);
  });

  it.each([
    { time: 7200, space: null, given: '2 node-hours' },
    { time: null, space: 5_000, given: '5 MB' },
    { time: 0, space: 0, given: 'nothing' },
  ])('says that a request was for $given', ({ time, space, given }) => {
    const end = '2027-01-31T23:00:00Z';
    const decision = { ...request.decision, reason: '', valid_until: end };
    const { facts } = note('request.approved', { ...request, time, space, decision });
    expect(facts).toEqual([
      ['You asked for', given],
      ['You get', '1 node-hour'],
      ['Valid until', '2027-01-31 23:00 UTC'],
    ]);
  });

  it('counts of a batch only what there is', () => {
    const counts = { done: 0, failed: 0, cancelled: 2 };
    const batch = { ...place, batch_id: '019A', title: '', count: 2, counts };
    expect(note('batch.ended', batch).headline).toBe(
      'Batch 019A has ended: 0 of 2 successful, 2 cancelled',
    );
    expect(note('job.ended', { ...job, stage: 'COMPLETED' }).facts[0]).toEqual([
      'Stage',
      'COMPLETED',
    ]);
  });
});
