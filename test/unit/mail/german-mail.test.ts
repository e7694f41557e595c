import { describe, expect, it } from 'vitest';
import type { EventType } from '#lib/events/event.ts';
import { describeEvent, type Note } from '#lib/mail/describe-event.ts';
import { describeStatement } from '#lib/mail/mail-statements.ts';
import { languages } from '#lib/mail/words/languages.ts';
import { mailWords, pageWords } from '#lib/mail/words/words.ts';
import { writeLinkMail, writeNotesMail } from '#lib/mail/write-mail.ts';
import { userId } from '#test/fixtures/names.ts';
import { batch, job, maintenance, quota, request, statement } from './told-events.ts';

const words = mailWords.de;
const consoleUrl = 'https://console.example.org/console/';
const unsubscribeUrl = 'https://jobs.example.org/mail/unsubscribe/?pass=1.a.2.b&language=de';
const at = new Date('2026-11-15T10:06:00Z');

function note(type: EventType, data: object): Note {
  const event = { id: 'e', type, owner: userId('1'), at, data: { ...data } };
  const told = describeEvent(event, words);
  if (!told) throw new Error(`No mail tells ${type}.`);
  return told;
}

/** The text of a mail without its end. */
function write(told: Note): string {
  const mail = { to: 'ada@example.org', notes: [told], more: 0, unsubscribeUrl, consoleUrl, words };
  const { text, html } = writeNotesMail(mail);
  expect(html).toContain('<html lang="de">');
  const [body = '', end] = text.split('\n\n-- \n');
  expect(end).toBe(
    `Diese Mail kommt, weil Benachrichtigungen von Slipway eingeschaltet sind.\nMails abbestellen: ${unsubscribeUrl}\n`,
  );
  return body;
}

describe('a German mail', () => {
  it('tells how a job ended', () => {
    expect(write(note('job.ended', job))).toBe(`Job „a job title“ war erfolgreich

Projekt      proj_hpc_one_01 auf hpc_one
Eingereicht  15.11.2026 08:30 UTC
Beendet      15.11.2026 10:06 UTC

Job anzeigen: ${consoleUrl}jobs/hpc_one/proj_hpc_one_01/AF17D39A/
Mit dem Befehl: slipway job AF17D39A`);
  });

  it.each([
    { stage: 'TIMEOUT', failed: true, outcome: 'ist fehlgeschlagen' },
    { stage: 'CANCELED', failed: false, outcome: 'wurde abgebrochen' },
    { stage: 'DELETED', failed: false, outcome: 'wurde gelöscht' },
    { stage: 'COMPLETED', failed: false, outcome: 'ist beendet' },
  ])('says that a job $outcome, and keeps the word of the system', ({ stage, failed, outcome }) => {
    const told = note('job.ended', { ...job, title: '', stage, failed });
    expect(told.headline).toBe(`Job AF17D39A ${outcome}`);
    const isNamed = ['TIMEOUT', 'COMPLETED'].includes(stage);
    expect(told.facts.filter(([label]) => label === 'Status')).toEqual(
      isNamed ? [['Status', stage]] : [],
    );
  });

  it('counts the ends of a batch', () => {
    expect(
      write(note('batch.ended', batch)),
    ).toBe(`Batch „a sweep“ ist beendet: 196 von 200 erfolgreich, 3 fehlgeschlagen, 1 abgebrochen

Projekt  proj_hpc_one_01 auf hpc_one
Beendet  15.11.2026 10:06 UTC

Batch anzeigen: ${consoleUrl}batches/hpc_one/proj_hpc_one_01/019A/
Mit dem Befehl: slipway batch 019A`);
  });

  it('says what remains of a quota, with a command that every language reads', () => {
    expect(
      write(note('quota.low', quota)),
    ).toBe(`In proj_hpc_one_01 sind nur noch 20 % der Zeit übrig

Projekt         proj_hpc_one_01 auf hpc_one
Restkontingent  999,99 von 5.000 Knotenstunden
Seit            15.11.2026 10:06 UTC

Mehr beantragen: ${consoleUrl}requests/
Mit dem Befehl: slipway ask proj_hpc_one_01 --time "100 node-hours" --reason "..."`);
    const left = (data: object) => note('quota.low', { ...quota, ...data });
    expect(left({ threshold_percent: 0 }).headline).toBe(
      'In proj_hpc_one_01 ist keine Zeit mehr übrig',
    );
    const space = left({ resource: 'space', granted: 10_500_000 });
    expect(space.headline).toBe('In proj_hpc_one_01 sind nur noch 20 % des Speicherplatzes übrig');
    expect(space.facts).toEqual([['Restkontingent', '900 MB von 10,5 GB']]);
    expect(left({ resource: 'space', threshold_percent: 0 }).headline).toBe(
      'In proj_hpc_one_01 ist kein Speicherplatz mehr übrig',
    );
  });

  it('says what was decided, and keeps the words of people', () => {
    const decision = { ...request.decision, valid_until: '2027-01-31T23:00:00Z' };
    expect(
      write(note('request.approved', { ...request, decision })),
    ).toBe(`Der Antrag in proj_hpc_one_01 wurde genehmigt

Projekt      proj_hpc_one_01 auf hpc_one
Beantragt    500 Knotenstunden und 20 GB
Zugeteilt    1 Knotenstunde
Gültig bis   31.01.2027 23:00 UTC
Begründung   for the course
Entschieden  15.11.2026 10:06 UTC

Eigene Anträge anzeigen: ${consoleUrl}requests/
Mit dem Befehl: slipway requests`);
    expect(note('request.declined', { ...request, state: 'declined' }).headline).toBe(
      'Der Antrag in proj_hpc_one_01 wurde abgelehnt',
    );
  });

  it('tells of a maintenance and of a pause', () => {
    const announced = note('system.maintenance-announced', maintenance);
    expect(write(announced)).toBe(`Wartung von hpc_one angekündigt

System       hpc_one
Von          01.12.2026 08:00 UTC
Bis          01.12.2026 16:00 UTC
Begründung   New firmware
Eigene Jobs  Jobs, die hier warten, werden danach übergeben.
Angekündigt  15.11.2026 10:06 UTC

Eigene Jobs anzeigen: ${consoleUrl}jobs/
Mit dem Befehl: slipway systems`);
    const paused = note('system.maintenance-announced', { ...maintenance, until: null });
    expect(paused.headline).toBe('hpc_one ist angehalten');
    expect(paused.facts[1]).toEqual(['Bis', 'bis zur Wiederaufnahme']);
  });

  it('tells a leader what a project had and used in a month', () => {
    expect(
      write(describeStatement(statement, words)),
    ).toBe(`Monatsauszug von proj_hpc_one_01 für Oktober 2026

Projekt                        proj_hpc_one_01 auf hpc_one
Anfangssaldo                   200 Knotenstunden und 10 GB
Zugeteilt                      20 Knotenstunden
Von beendeten Jobs verbraucht  61 Knotenstunden
Endsaldo                       159 Knotenstunden und 10 GB
Stand                          01.11.2026 00:00 UTC

Monatsauszug anzeigen: ${consoleUrl}projects/hpc_one/proj_hpc_one_01/statement/?month=2026-10
Mit dem Befehl: slipway project statement proj_hpc_one_01 --month 2026-10`);
  });

  it('lists many as a digest', () => {
    const notes = [note('job.ended', job), note('job.ended', job), note('quota.low', quota)];
    const { subject, text } = writeNotesMail({
      to: 'a@b.org',
      notes,
      more: 3,
      unsubscribeUrl,
      words,
    });
    expect(subject).toBe('2 Jobs sind beendet, 1 Kontingent wird knapp, 3 weitere');
    const [body] = text.split('\n\n-- \n');
    expect(body).toBe(
      [
        subject,
        ...Array(2).fill(
          '* Job „a job title“ war erfolgreich\n  proj_hpc_one_01 auf hpc_one, 15.11.2026 10:06 UTC',
        ),
        '* In proj_hpc_one_01 sind nur noch 20 % der Zeit übrig\n  proj_hpc_one_01 auf hpc_one, 15.11.2026 10:06 UTC',
        'Nicht aufgeführt, weil diese Mail keinen Platz mehr hat: 3 weitere.',
        'Eigene Jobs anzeigen: slipway jobs',
      ].join('\n\n'),
    );
  });

  it('confirms an address, and says whose service asks', () => {
    const confirmUrl = 'https://jobs.example.org/mail/confirm/?pass=1.a.2.b&language=de';
    const { subject, text, html } = writeLinkMail({ to: 'a@b.org', confirmUrl, days: 3, words });
    expect(subject).toBe('Mailadresse für Slipway bestätigen');
    expect(
      text,
    ).toBe(`Mit einem Konto bei jobs.example.org wurde angegeben, dass Slipway Benachrichtigungen über Jobs an diese Adresse senden soll.

Wenn das so gewollt ist, bitte die Adresse innerhalb von 3 Tagen bestätigen:
${confirmUrl}

Andernfalls diese Mail bitte ignorieren. Ohne Bestätigung wird nichts gesendet.
`);
    expect(html).toContain('>Adresse bestätigen</a>');
    expect(html).toContain('pass=1.a.2.b&amp;language=de"');
  });
});

/** Texts that are the same in both languages. */
const shared = ['system'];

/** Writes all texts of a catalogue, with `1`, `2` or a unit in place of parameters. */
function listTexts(said: object, path = ''): [path: string, text: string][] {
  return Object.entries(said).flatMap(([key, value]): [string, string][] => {
    if (typeof value === 'string') return [[path + key, value]];
    if (key === 'moment' || key === 'month')
      return [[path + key, value(new Date('2026-10-15T10:06:00Z'))]];
    if (key === 'hours') return [[path + key, value('2', 'charged hour')]];
    if (typeof value !== 'function') return listTexts(value, `${path}${key}.`);
    return ['1', '2'].map((given) => [`${path}${key} ${given}`, value(given, '7')]);
  });
}

// A third language is checked, too.
describe.each(languages.filter((code) => code !== 'en'))('the words of %s', (code) => {
  const own = [...listTexts(mailWords[code]), ...listTexts(pageWords[code], 'page.')];
  const english = new Map([...listTexts(mailWords.en), ...listTexts(pageWords.en, 'page.')]);

  it('are English nowhere', () => {
    const same = own.filter(([path, text]) => english.get(path) === text).map(([path]) => path);
    expect(same.filter((path) => !shared.includes(path))).toEqual([]);
    expect(own.length).toBe(english.size);
  });

  it('name every parameter that English ones do', () => {
    const numbersIn = (text = '') => text.match(/[127]/g)?.sort() ?? [];
    const filled = own.filter(([path]) => / [12]$/.test(path));
    expect(filled.length).toBeGreaterThan(20);
    for (const [path, text] of filled) {
      expect(numbersIn(text), path).toEqual(numbersIn(english.get(path)));
    }
  });
});
