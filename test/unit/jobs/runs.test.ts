import { describe, expect, it } from 'vitest';
import { countRuns, noteRuns } from '#lib/jobs/life/runs.ts';

const kept = { seconds: 60, isLost: false };
const lost = { seconds: 7, isLost: true };

describe('the runs of a job', () => {
  it('are all charged but those that the system lost', () => {
    expect(countRuns([kept, lost, { ...kept, seconds: 90 }], {})).toEqual({
      charged: 150,
      lost: 7,
    });
    expect(countRuns([lost], {})).toEqual({ charged: 0, lost: 7 });
  });

  it('are charged without exception if the catalog says so', () => {
    const runs = [kept, lost];
    expect(countRuns(runs, { chargesLostRuns: true })).toEqual({ charged: 67, lost: 0 });
    expect(countRuns(runs, { chargesLostRuns: false })).toEqual({ charged: 60, lost: 7 });
  });
});

describe('earlier runs', () => {
  const first = { number: 1, ...kept, reason: 'requeued' };
  const second = { number: 2, ...lost, reason: 'a node failed' };

  it('are noted in their order, with what each sent', () => {
    expect(noteRuns({ sent: [{ run: 1, bytes: 12 }] }, [second, first])).toEqual([
      { ...first, sentBytes: 12 },
      { ...second, sentBytes: undefined },
    ]);
  });

  it('are no news if they are known, or if none are reported', () => {
    expect(noteRuns({ runs: [first] }, [first])).toBeUndefined();
    expect(noteRuns({ runs: [first] })).toBeUndefined();
    expect(noteRuns({}, [])).toBeUndefined();
  });

  it('are kept if the system has forgotten them', () => {
    expect(noteRuns({ runs: [first] }, [second])).toMatchObject([{ number: 1 }, { number: 2 }]);
  });

  it('are told anew if their seconds were not final', () => {
    const later = { ...first, seconds: 61 };
    expect(noteRuns({ runs: [first] }, [later])).toMatchObject([{ number: 1, seconds: 61 }]);
  });

  it('are twenty at most, the last ones', () => {
    const many = Array.from({ length: 30 }, (_, at) => ({ ...first, number: at + 1 }));
    const noted = noteRuns({}, many) ?? [];
    expect(noted.map(({ number }) => number)).toEqual(many.slice(10).map(({ number }) => number));
  });
});
