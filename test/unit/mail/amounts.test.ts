import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { unitOf, writeBalance, writeHours, writeNumber, writeSpace } from '#lib/mail/amounts.ts';
import { mailWords } from '#lib/mail/words/words.ts';

describe('amounts in mails', () => {
  it.each([
    [0, '0'],
    [0.999, '0.99'],
    [-0.25, '-0.25'],
    [1, '1'],
    [1.099, '1.09'],
    [-1.001, '-1.01'],
    [12_345.67, '12,345.67'],
  ])('are rounded down: %d is %s', (value, written) => {
    expect(writeNumber(value, mailWords.en)).toBe(written);
  });

  it.each([
    [999, '999 KB'],
    [1_000, '1 MB'],
    [999_999, '999.9 MB'],
    [1_000_000, '1 GB'],
  ])('have a unit: %d kilobytes are %s', (kilobytes, written) => {
    expect(writeSpace(kilobytes, mailWords.en)).toBe(written);
  });

  it('name one hour as such, and all others as hours of their system', () => {
    expect(writeHours(3600, unitOf('HPC_ONE'), mailWords.en)).toBe('1 node-hour');
    expect(writeHours(1800, unitOf('HPC_ONE'), mailWords.en)).toBe('0.5 node-hours');
    // A system that the catalog no longer has.
    expect(writeHours(0, unitOf('HPC_GONE'), mailWords.en)).toBe('0 charged hours');
  });
});

describe('a balance in a mail', () => {
  const unit = unitOf('HPC_ONE');

  it('leaves out what is nothing, and shows hundredths', () => {
    const change = (seconds: number, kilobytes = 0) => ({ seconds, kilobytes });
    const changes = [
      { label: 'Opening', sign: 1, amount: change(17_999_998, 10e6) },
      { label: 'Granted', sign: 1, amount: change(0) },
      { label: 'Used', sign: -1, amount: change(3_598, 4e3) },
    ] as const;
    expect(writeBalance(changes, { label: 'Closing', unit }, mailWords.en)).toEqual([
      ['Opening', '5,000 node-hours and 10 GB'],
      ['Used', '1 node-hour'],
      ['Closing', '4,999 node-hours and 10 GB'],
    ]);
  });

  it('is nothing if nothing was there', () => {
    expect(writeBalance([], { label: 'Closing', unit }, mailWords.en)).toEqual([
      ['Closing', 'nothing'],
    ]);
  });

  it.each([
    { language: 'en', word: 'node-hour', separators: ',.' },
    { language: 'de', word: 'Knotenstunde', separators: '.,' },
  ] as const)(
    'adds up as it is shown in $language, whatever the amounts',
    ({ language, word, separators }) => {
      const amount = fc.record({
        seconds: fc.integer({ min: 0, max: 4e9 }),
        kilobytes: fc.integer({ min: 0, max: 4e9 }),
      });
      const changes = fc.array(
        fc.record({ sign: fc.constantFrom(1 as const, -1 as const), amount }),
      );
      fc.assert(
        fc.property(changes, (each) => {
          const labelled = each.map((change, at) => ({ ...change, label: String(at) }));
          const lines = writeBalance(labelled, { label: 'Closing', unit }, mailWords[language]);
          for (const unitWord of [word, 'KB|MB|GB']) {
            const shown = lines.map(([label, text]) => {
              const sign = label === 'Closing' ? -1 : (each[Number(label)]?.sign ?? 0);
              return sign * Math.round(100 * readShown(text, unitWord, separators));
            });
            expect(shown.reduce((sum, hundredths) => sum + hundredths, 0)).toBe(0);
          }
        }),
      );
    },
  );

  function readShown(text: string, unitWord: string, [group = '', point = '']: string): number {
    const [, number = '0'] = new RegExp(`(-?[\\d,.]+) (?:${unitWord})`).exec(text) ?? [];
    return Number(number.replaceAll(group, '').replace(point, '.'));
  }

  it('is written as German writes numbers', () => {
    const changes = [
      { label: 'Anfang', sign: 1, amount: { seconds: 4_444_200, kilobytes: 1_250e6 } },
      { label: 'Verbrauch', sign: -1, amount: { seconds: 4_440_600, kilobytes: 0 } },
    ] as const;
    expect(writeBalance(changes, { label: 'Ende', unit }, mailWords.de)).toEqual([
      ['Anfang', '1.234,5 Knotenstunden und 1.250 GB'],
      ['Verbrauch', '1.233,5 Knotenstunden'],
      ['Ende', '1 Knotenstunde und 1.250 GB'],
    ]);
    expect(writeBalance([], { label: 'Ende', unit }, mailWords.de)).toEqual([['Ende', 'nichts']]);
  });
});
