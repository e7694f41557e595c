import { afterEach, describe, expect, it } from 'vitest';
import { writeNodeTime, writeSize } from '#client/src/format/amounts/amounts.ts';
import { writeCount, writeNumber } from '#client/src/format/numbers/write-number.ts';
import { readDay, writeDay } from '#client/src/format/times/day.ts';
import { writeAge } from '#client/src/format/times/write-age.ts';
import {
  chooseLanguage,
  createPhrase,
  currentLanguage,
  speakEnglish,
  translate,
} from '#client/src/words/language.ts';
import { term } from '#client/src/words/terms.ts';

const english = {
  greeting: 'Hello',
  place: '{project} on {hpc}',
  waiting: { one: '{count} job of {who} waits', other: '{count} jobs of {who} wait' },
} as const;

const phrase = createPhrase('test', english);

/** A language with the plural forms of Polish. */
const polish = translate<typeof english>()({
  greeting: 'Cześć',
  place: '{hpc}: {project}',
  waiting: {
    one: 'czeka {count} zadanie ({who})',
    few: 'czekają {count} zadania ({who})',
    other: 'czeka {count} zadań ({who})',
  },
});

const languages = {
  pl: async () => ({
    language: { code: 'pl', digits: 'pl-PL', days: 'pl-PL', catalogues: { test: polish } },
  }),
  de: async () => {
    const { german } = await import('#client/src/words/german/german.ts');
    return { language: german };
  },
};

afterEach(speakEnglish);

describe('a phrase', () => {
  it('fills in its parameters', () => {
    expect(phrase('greeting')).toBe('Hello');
    expect(phrase('place', { project: 'lab', hpc: 'hpc_one' })).toBe('lab on hpc_one');
  });

  it('does not fill in what a value holds', () => {
    expect(phrase('place', { project: '{hpc}', hpc: '$& $1' })).toBe('{hpc} on $& $1');
  });

  it.each([
    [0, '0 jobs of me wait'],
    [1, '1 job of me waits'],
    [1200, '1,200 jobs of me wait'],
  ])('has the plural form of %i', (count, expected) => {
    expect(phrase('waiting', { count, who: 'me' })).toBe(expected);
  });

  it.each([
    [1, 'czeka 1 zadanie (ja)'],
    [3, 'czekają 3 zadania (ja)'],
    [5, 'czeka 5 zadań (ja)'],
  ])('follows the plural rules of its language: %i', async (count, expected) => {
    await chooseLanguage(['pl'], languages);
    expect(phrase('waiting', { count, who: 'ja' })).toBe(expected);
    expect(phrase('place', { project: 'lab', hpc: 'hpc_one' })).toBe('hpc_one: lab');
  });

  it('is checked by the type checker', () => {
    expect([
      // @ts-expect-error: the message has parameters.
      () => phrase('place'),
      // @ts-expect-error: one of them is missing.
      () => phrase('place', { project: 'lab' }),
      // @ts-expect-error: the message has none.
      () => phrase('greeting', { project: 'lab' }),
      // @ts-expect-error: the number decides the plural form.
      () => phrase('waiting', { count: '3', who: 'me' }),
      // @ts-expect-error: there is no such message.
      () => phrase('farewell'),
      // @ts-expect-error: a message is missing.
      () => translate<typeof english>()({ greeting: 'Hallo', place: '{project} {hpc}' }),
      // @ts-expect-error: a message has a parameter that the English one does not have.
      () => translate<typeof english>()({ ...polish, greeting: 'Hallo {name}' }),
      // @ts-expect-error: a message lacks a parameter.
      () => translate<typeof english>()({ ...polish, place: 'auf {hpc}' }),
      // @ts-expect-error: there is no such English message.
      () => translate<typeof english>()({ ...polish, farewell: 'Tschüss' }),
    ]).toHaveLength(9);
  });
});

describe('the language', () => {
  it.each([
    [[], 'en'],
    [['de'], 'de'],
    [['de-AT', 'en'], 'de'],
    [['de_DE.UTF-8'], 'de'],
    [['C.UTF-8'], 'en'],
    [['POSIX'], 'en'],
    [['fr-FR', 'de'], 'de'],
    [['en-GB', 'de'], 'en'],
    [['constructor'], 'en'],
    [['DE'], 'de'],
  ])('is the first that exists of %j', async (wanted, expected) => {
    await chooseLanguage(wanted, languages);
    expect(currentLanguage().code).toBe(expected);
  });

  it('decides how amounts, days and ages are written', async () => {
    const write = () => [
      writeNumber(1234.5),
      writeNodeTime(9000, 'node'),
      writeNodeTime(3600, 'core'),
      writeSize(3_100_000),
      writeDay('2027-03-31'),
      writeAge('2026-11-15T08:00:00Z', new Date('2026-11-18T08:00:00Z')),
      writeCount(1, 'active job'),
      term('running'),
      term('newer-than-this'),
    ];
    expect(write()).toEqual([
      '1,234.5',
      '2.5 node-hours',
      '1 core-hour',
      '3.1 MB',
      '31 March 2027',
      '3 d ago',
      '1 active job',
      'running',
      'newer-than-this',
    ]);
    await chooseLanguage(['de'], languages);
    expect(write()).toEqual([
      '1.234,5',
      '2,5 Knotenstunden',
      '1 Kernstunde',
      '3,1 MB',
      '31. März 2027',
      'vor 3 d',
      '1 aktiver Job',
      'läuft',
      'newer-than-this',
    ]);
  });

  it('is one in which people may also write months', async () => {
    const now = new Date('2026-11-15T08:00:00Z');
    await chooseLanguage(['de'], languages);
    for (const text of ['31. März', '31 March', '31 mär 2027']) {
      expect(readDay(text, now)).toBe('2027-03-31');
    }
  });
});
