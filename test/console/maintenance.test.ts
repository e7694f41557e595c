import { describe, expect, it } from 'vitest';
import { readWindow } from '#console/src/admin/maintenance-section.tsx';
import { listMaintenance } from '#console/src/shell/shell.tsx';

const now = new Date('2026-12-01T08:00:00Z');
const window = {
  name: '2026-12-01',
  from: '2026-12-01T08:00:00Z',
  until: '2026-12-01T16:05:00Z',
  reason: 'New firmware.',
  drain: true,
  source: 'administrator',
} as const;

/** As the reader's clock shows it. */
const local = (text: string) => {
  const at = new Date(text);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${text.slice(0, 8)}${two(at.getDate())} ${two(at.getHours())}:${two(at.getMinutes())}`;
};

const sentences = (
  maintenance: Parameters<typeof listMaintenance>[0][number]['maintenance'],
  at = now,
) => listMaintenance([{ name: 'hpc_one', ...(maintenance && { maintenance }) }], at);

describe('the banner', () => {
  it.each([
    [
      'until when it lasts',
      window,
      now,
      `hpc_one is in maintenance until ${local(window.until)}. New jobs wait here until then. New firmware.`,
      true,
    ],
    [
      'when it comes',
      window,
      new Date('2026-11-20T08:00:00Z'),
      `Maintenance of hpc_one from ${local(window.from)} to ${local(window.until)}. New firmware.`,
      false,
    ],
    [
      'that a system is paused',
      { ...window, until: null },
      now,
      'hpc_one is paused. New jobs wait here until it is resumed. New firmware.',
      true,
    ],
    [
      'what Slurm has reserved, which is no reason to wait',
      { ...window, source: 'slurm' as const },
      now,
      `Slurm has reserved nodes of hpc_one for maintenance from ${local(window.from)} to ${local(window.until)}. New firmware.`,
      false,
    ],
  ])('says %s', (_, announced, at, sentence, isNow) => {
    expect(sentences([announced], at)).toEqual([{ sentence, isNow }]);
  });

  it.each([
    ['of one that is over', [window], new Date('2026-12-01T16:05:00Z')],
    ['of one that is more than two weeks ahead', [window], new Date('2026-11-17T07:59:59Z')],
    ['if there is none', undefined, now],
  ])('says nothing %s', (_, maintenance, at) => {
    expect(sentences(maintenance, at)).toEqual([]);
  });
});

describe('the dialog', () => {
  it('reads times of the reader', () => {
    const typed = { from: '2026-12-02 08:00', until: ' 2026-12-02T16:00 ' };
    expect(readWindow(typed, now).body).toEqual({
      from: new Date(2026, 11, 2, 8).toISOString(),
      until: new Date(2026, 11, 2, 16).toISOString(),
    });
  });

  it.each([
    [{ from: 'tomorrow', until: '2026-12-02 16:00' }, ['from']],
    [{ from: '2026-12-02 08:00', until: '' }, ['until']],
    [{ from: '2026-12-02 08:00', until: '2026-12-02 08:00' }, ['until']],
    [{ from: '2026-11-02 08:00', until: '2026-11-02 09:00' }, ['until']],
  ])('refuses %j', (typed, wrong) => {
    const { problems, body } = readWindow(typed, now);
    expect([...problems.keys()]).toEqual(wrong);
    expect(body).toBeUndefined();
  });
});
