import { afterEach, describe, expect, it } from 'vitest';
import type { Statement } from '#client/src/index.ts';
import { chooseLanguage, speakEnglish } from '#client/src/words/language.ts';
import {
  listMonths,
  statementLines,
  writeUntil,
} from '#console/src/admin/statement/statement-page.tsx';

const nothing = { time: 0, space: 0 };
const amounts = {
  opening: { time: 3600, space: 5 },
  granted: nothing,
  expired: { time: 600, space: 0 },
  corrected: nothing,
  shared: nothing,
  used: { time: 1800, space: 0 },
  drawn: nothing,
  reserved: { time: -60, space: 1 },
  closing: { time: 1260, space: 4 },
  jobs_ended: 1,
};
const statement: Statement = {
  project: 1,
  project_hpc: 'HPC_ONE',
  project_name: 'lab_42',
  month: '2026-11',
  until: '2026-12-01T00:00:00Z',
  closed: true,
  ...amounts,
  rows: [{ user: '7', ...amounts }],
};

afterEach(speakEnglish);

describe('the statement of a project', () => {
  it('offers three years, the newest month first', () => {
    const months = listMonths(new Date('2026-01-31T23:30:00Z'));
    expect(months.slice(0, 3)).toEqual(['2026-01', '2025-12', '2025-11']);
    expect(months).toHaveLength(36);
  });

  it('is of a moment in the words of the reader', async () => {
    // A moment of the local time zone, as the reader sees it.
    const moment = new Date(2026, 10, 9, 18, 5).toISOString();
    expect(writeUntil(moment)).toBe('9 November 2026 at 18:05');
    await chooseLanguage(['de'], {
      de: async () => ({ language: (await import('#client/src/words/german/german.ts')).german }),
    });
    expect(writeUntil(moment)).toBe('9. November 2026 um 18:05');
  });

  it('has lines that add up, and leaves out what is nothing', () => {
    const lines = statementLines(statement);
    expect(lines.map(({ part, time }) => [part, time])).toEqual([
      ['opening', 3600],
      ['granted', 0],
      ['expired', -600],
      ['used', -1800],
      ['reserved', 60],
      ['closing', 1260],
    ]);
    const changes = lines.filter(({ part }) => part !== 'closing');
    expect(changes.reduce((sum, { time }) => sum + time, 0)).toBe(1260);
    expect(changes.reduce((sum, { space }) => sum + space, 0)).toBe(4);
  });
});
