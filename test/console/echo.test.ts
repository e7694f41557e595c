import { afterEach, describe, expect, it } from 'vitest';
import { chooseLanguage, speakEnglish } from '#client/src/words/language.ts';
import { readWindow } from '#console/src/admin/maintenance-section.tsx';
import { echoDay, echoDuration, echoMemory, echoSpace, echoTime } from '#console/src/parts/echo.ts';

const now = new Date('2026-11-15T08:30:00Z');
const german = () => chooseLanguage(['de'], { de: () => import('#console/src/german/german.ts') });

afterEach(speakEnglish);

describe('what somebody types', () => {
  const echo = () => [
    echoTime('10.000', 'node'),
    echoTime('10.000 h', 'core'),
    echoSpace('1.500 MB'),
    echoDuration('1.000 min'),
    echoMemory('1.500 MB'),
    echoDay('31.3.', now),
  ];

  it('is said back as it was understood', async () => {
    expect(echo()).toEqual([
      '= 10 node-hours',
      '= 10 core-hours',
      '= 1.5 MB',
      '= 1 min',
      '= 1.5 MB',
      '= 31 March 2027',
    ]);
    await german();
    expect(echo()).toEqual([
      '= 10.000 Knotenstunden',
      '= 10.000 Kernstunden',
      '= 1,5 GB',
      '= 16 h 40 min',
      '= 1,5 GB',
      '= 31. März 2027',
    ]);
  });

  it('is not said back if it is the same, or cannot be read', () => {
    expect(echoTime('10 node-hours', 'node')).toBeUndefined();
    expect(echoTime('', 'node')).toBeUndefined();
    expect(echoTime('much', 'node')).toBeUndefined();
    expect(echoDuration('2h')).toBeUndefined();
    expect(echoMemory('16GB')).toBeUndefined();
    expect(echoDay('never', now)).toBeUndefined();
  });

  it('can be a moment in the words of the reader', async () => {
    const plain = readWindow({ from: '2027-03-31 10:00', until: '2027-03-31T12:30' }, now).body;
    expect(plain?.until).toBe(new Date('2027-03-31T12:30').toISOString());
    await german();
    const typed = { from: '31.03.2027, 10:00', until: '31. März 2027 12:30' };
    expect(readWindow(typed, now).body).toEqual(plain);
    expect([...readWindow({ from: 'bald', until: '31.03.2027' }, now).problems.keys()]).toEqual([
      'from',
      'until',
    ]);
  });
});
