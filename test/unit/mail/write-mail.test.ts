import { describe, expect, it } from 'vitest';
import type { EventType } from '#lib/events/event.ts';
import { describeEvent, type Note } from '#lib/mail/describe-event.ts';
import { writeLinkMail, writeNotesMail } from '#lib/mail/write-mail.ts';
import { userId } from '#test/fixtures/names.ts';

const consoleUrl = 'https://console.example.org/console/';
const unsubscribeUrl = 'https://jobs.example.org/mail/unsubscribe/?pass=1.a.2.b';
const at = new Date('2026-11-15T10:06:00Z');
const place = { project_hpc: 'HPC_ONE', project_name: 'proj_hpc_one_01' };

const job = {
  ...place,
  job_id: 'AF17D39A',
  title: 'a job title',
  stage: 'SUCCESSFUL',
  failed: false,
  init_date: '2026-11-15T08:30:00Z',
};
const quota = {
  ...place,
  resource: 'time',
  threshold_percent: 20,
  granted: 18_000_000,
  time_left: 3_599_999,
  space_left: 900_000,
};
const request = {
  ...place,
  time: 1_800_000,
  space: 20_000_000,
  state: 'approved',
  decision: { time: 3600, space: null, reason: 'for the course', valid_until: null },
};

function note(type: EventType, data: object): Note {
  const told = describeEvent({ id: 'e', type, owner: userId('1'), at, data: { ...data } });
  if (!told) throw new Error(`No mail tells ${type}.`);
  return told;
}

/** The text of a mail without its end. */
function write(told: Note, withConsole = true): string {
  const to = 'ada@example.org';
  const options = withConsole ? { consoleUrl } : {};
  const { text } = writeNotesMail({ to, notes: [told], more: 0, unsubscribeUrl, ...options });
  const [body = '', end] = text.split('\n\n-- \n');
  expect(end).toBe(
    `You get this mail because you asked Slipway to notify you.\nStop these mails: ${unsubscribeUrl}\n`,
  );
  return body;
}

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
    const batch = {
      ...place,
      batch_id: '019A',
      title: 'a sweep',
      count: 200,
      counts: { done: 196, failed: 3, cancelled: 1 },
    };
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
Remaining  999.9 of 5,000 node-hours
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
    expect(write(note('request.declined', declined))).not.toContain('You get ');
  });

  it('lists many as a digest, each with its place and time', () => {
    const notes = [note('job.ended', job), note('job.ended', job), note('quota.low', quota)];
    const mail = writeNotesMail({ to: 'a@b.org', notes, more: 0, unsubscribeUrl, consoleUrl });
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
    const mail = writeNotesMail({ to: 'a@b.org', notes, more: 0, unsubscribeUrl, ...options });
    expect(mail.html).not.toContain('<img');
    expect(mail.html).toContain('&lt;img src=x&gt;&amp;&quot;');
  });

  it('confirms an address, and says whose service asks', () => {
    const confirmUrl = 'https://jobs.example.org/mail/confirm/?pass=1.a.2.b';
    const { text, html } = writeLinkMail({ to: 'a@b.org', confirmUrl, days: 3 });
    expect(text).toContain('an account at jobs.example.org');
    expect(text).toContain(`within 3 days:\n${confirmUrl}\n`);
    expect(html).toContain(`href="${confirmUrl}"`);
  });
});
