import { describe, expect, it } from 'vitest';
import { detectEnd, detectEvents } from '#lib/events/detect-events.ts';
import { presentEvent } from '#lib/http/presenters/present-event.ts';
import {
  type MaintenanceWindow,
  maintenanceToItem,
  noMaintenance,
} from '#lib/systems/maintenance.ts';
import { systemName } from '#test/fixtures/names.ts';
import { request, requestBody, requestItem } from '#test/fixtures/requests.ts';
import {
  hpcOne,
  hpcTwo,
  jobBody,
  jobItem,
  quotaBody,
  quotaItem,
  systemSamples,
  user,
  welcomeKilobytes,
  welcomeSeconds,
} from '#test/fixtures/samples.ts';
import { streamRecord, writtenAt } from '#test/fixtures/stream-records.ts';

type Item = Readonly<Record<string, unknown>>;

/** Returns events as the bus carries them. */
function eventsOf(oldItem: Item | undefined, newItem: Item | undefined, eventId?: string) {
  const events = detectEvents(streamRecord(oldItem, newItem, eventId)).map(presentEvent);
  return JSON.parse(JSON.stringify(events));
}

const at = writtenAt.toISOString();
const common = { owner: user, at };

describe('a new job', () => {
  it.each(systemSamples)('of $hpc was submitted', (sample) => {
    expect(eventsOf(undefined, jobItem(sample))).toEqual([
      {
        id: `${sample.jobId}-submitted`,
        type: 'job.submitted',
        ...common,
        data: jobBody(sample),
      },
    ]);
  });

  it('that has already ended was imported and causes no event', () => {
    expect(eventsOf(undefined, jobItem(hpcOne, { ended: true }))).toEqual([]);
  });
});

describe('a changed job', () => {
  const running = { ...jobItem(hpcOne), stage: 'RUNNING' };

  it('has a new stage', () => {
    expect(eventsOf(jobItem(hpcOne), running, 'e1')).toEqual([
      {
        id: `${hpcOne.jobId}-RUNNING-e1`,
        type: 'job.stage-changed',
        ...common,
        data: { ...jobBody(hpcOne), stage: 'RUNNING', previous_stage: 'QUEUED' },
      },
    ]);
  });

  it('that reaches a stage twice causes two events', () => {
    const ids = ['e1', 'e2'].map((id) => eventsOf(jobItem(hpcOne), running, id)[0].id);
    expect(new Set(ids).size).toBe(2);
  });

  it.each(systemSamples)('of $hpc has ended: its stage changed, and then it ended', (sample) => {
    const ended = jobItem(sample, { ended: true });
    const data = jobBody(sample, { ended: true });
    expect(eventsOf(jobItem(sample), ended, 'e3')).toEqual([
      {
        id: `${sample.jobId}-${sample.doneStage}-e3`,
        type: 'job.stage-changed',
        ...common,
        data: { ...data, previous_stage: sample.firstStage },
      },
      { id: `${sample.jobId}-ended`, type: 'job.ended', ...common, data },
    ]);
  });

  it('that is deleted after its end changes its stage, but does not end again', () => {
    const ended = jobItem(hpcOne, { ended: true });
    const events = eventsOf(ended, { ...ended, stage: 'DELETED' });
    expect(events).toHaveLength(1);
    expect(events[0]).toMatchObject({
      type: 'job.stage-changed',
      data: { stage: 'DELETED', previous_stage: 'SUCCESSFUL', terminal_stage: true },
    });
  });

  it('with the same stage causes no event', () => {
    expect(eventsOf(jobItem(hpcOne), { ...jobItem(hpcOne), title: 'another' })).toEqual([]);
  });

  it('keeps its event ids when the change is delivered again', () => {
    const record = streamRecord(jobItem(hpcTwo), jobItem(hpcTwo, { ended: true }));
    expect(detectEvents(record)).toEqual(detectEvents(structuredClone(record)));
  });
});

describe('a quota', () => {
  const percent = (share: number) => (welcomeSeconds * share) / 100;
  const timeEvents = (before: number, after: number) =>
    eventsOf(
      quotaItem(hpcOne, { timeLeft: percent(before) }),
      quotaItem(hpcOne, { timeLeft: percent(after) }),
    );

  it.each([
    { before: 21, after: 20, threshold: 20 },
    { before: 100, after: 15, threshold: 20 },
    { before: 11, after: 10, threshold: 10 },
    { before: 15, after: 3, threshold: 10 },
    { before: 100, after: 5, threshold: 10 },
    { before: 1, after: 0, threshold: 0 },
    { before: 100, after: 0, threshold: 0 },
  ])('that falls from $before to $after percent is low: $threshold', (each) => {
    const events = timeEvents(each.before, each.after);
    expect(events).toHaveLength(1);
    expect(events[0].data.threshold_percent).toBe(each.threshold);
  });

  it.each([
    { before: 100, after: 20.0001 },
    { before: 20, after: 19 },
    { before: 10, after: 1 },
    { before: 0, after: 0 },
    { before: 5, after: 50 },
    { before: 5, after: 15 },
  ])('that goes from $before to $after percent crosses no threshold', ({ before, after }) => {
    expect(timeEvents(before, after)).toEqual([]);
  });

  it('is shown as in the interface, with what was granted', () => {
    const facts = { timeLeft: percent(20) };
    expect(eventsOf(quotaItem(hpcTwo), quotaItem(hpcTwo, facts), 'e4')).toEqual([
      {
        id: 'quota-time-e4',
        type: 'quota.low',
        ...common,
        data: {
          ...quotaBody(hpcTwo, facts),
          resource: 'time',
          threshold_percent: 20,
          granted: welcomeSeconds,
        },
      },
    ]);
  });

  it('can be low in time and in space at once', () => {
    const events = eventsOf(quotaItem(hpcOne), quotaItem(hpcOne, { timeLeft: 0, spaceLeft: 1 }));
    expect(events).toMatchObject([
      { id: expect.stringMatching(/^quota-time-/), data: { threshold_percent: 0 } },
      {
        id: expect.stringMatching(/^quota-space-/),
        data: { resource: 'space', threshold_percent: 10, granted: welcomeKilobytes },
      },
    ]);
  });

  it('that was granted more is not low, even if the remaining share is smaller', () => {
    const before = { ...quotaItem(hpcOne), time_granted: 100, time_left: 30 };
    const after = { ...before, time_granted: 1000, time_left: 130 };
    expect(eventsOf(before, after)).toEqual([]);
    expect(eventsOf(before, { ...after, time_left: 30, time_held: 970 })).toEqual([]);
  });

  it('that is new or empty is not low', () => {
    const told = eventsOf(undefined, quotaItem(hpcOne, { timeLeft: 0 }));
    expect(told).toMatchObject([{ type: 'member.joined' }]);
    const nothing = { ...quotaItem(hpcOne), time_granted: 0, time_left: 0 };
    expect(eventsOf(nothing, { ...nothing, space_left: 9_999_999 })).toEqual([]);
  });
});

describe('other changes', () => {
  it('cause no events', () => {
    expect(eventsOf(undefined, { PK: 'USER#1', SK: 'PROFILE', type: 'profile' })).toEqual([]);
    expect(eventsOf(jobItem(hpcOne), undefined)).toEqual([]);
  });

  it('of an unreadable item cause an error', () => {
    const damaged = { ...jobItem(hpcOne), stage: 7 };
    expect(() => eventsOf(jobItem(hpcOne), damaged)).toThrow('stage');
  });
});

describe('a maintenance', () => {
  const window = {
    name: '2026-12-01',
    source: 'administrator' as const,
    from: new Date('2026-12-01T08:00:00Z'),
    reason: 'New firmware',
    drains: true,
  };
  const itemOf = (...windows: MaintenanceWindow[]) =>
    maintenanceToItem({ ...noMaintenance(systemName('hpc_one')), windows });
  const other = { ...window, name: '2027-01-01' };
  const moved = { ...window, until: new Date('2026-12-01T16:00:00Z') };
  const told = (name: string, happened: string) => ({
    id: `hpc_one-${name}-${happened}-e1`,
    type: `system.maintenance-${happened}`,
    at,
  });
  it('of a new system is announced, with what the interface shows', () => {
    expect(eventsOf(undefined, itemOf(window), 'e1')).toMatchObject([
      { ...told(window.name, 'announced'), data: { hpc: 'hpc_one', reason: 'New firmware' } },
    ]);
  });

  it.each([
    { why: 'another is added', before: [window], after: [window, other], happened: ['announced'] },
    { why: 'it is moved', before: [other, window], after: [other, moved], happened: ['changed'] },
    { why: 'it is over', before: [other, window], after: [other], happened: ['ended'] },
    { why: 'nothing changes', before: [window, other], after: [window, other], happened: [] },
  ])('causes an event if $why', ({ before, after, happened }) => {
    const name = happened[0] === 'announced' ? other.name : window.name;
    const events = eventsOf(itemOf(...before), itemOf(...after), 'e1');
    expect(events).toMatchObject(happened.map((each) => told(name, each)));
    expect(events).toHaveLength(happened.length);
  });

  it('that is a reservation of Slurm causes none', () => {
    const reserved = { ...window, source: 'slurm' as const };
    const items = [itemOf(), itemOf(reserved), itemOf({ ...reserved, reason: 'x' }), itemOf()];
    for (const [place, item] of items.slice(1).entries()) {
      expect(eventsOf(items[place], item)).toEqual([]);
    }
    // One of an administrator with its name is another one.
    expect(eventsOf(itemOf(reserved), itemOf(reserved, window), 'e1')).toMatchObject([
      told(window.name, 'announced'),
    ]);
  });
});

describe('a record that lacks something', () => {
  it.each(['eventID', 'dynamodb'] as const)('causes no event: %s', (name) => {
    const { [name]: _, ...record } = streamRecord(undefined, jobItem(hpcOne));
    expect(detectEvents(record)).toEqual([]);
    expect(detectEnd(record)).toBeUndefined();
  });

  it('causes no event if it has no time', () => {
    const { dynamodb, ...record } = streamRecord(undefined, jobItem(hpcOne));
    const { ApproximateCreationDateTime: _, ...images } = dynamodb ?? {};
    expect(detectEvents({ ...record, dynamodb: images })).toEqual([]);
  });
});

describe('a request', () => {
  const opened = { id: `${request}-opened`, type: 'request.opened', ...common };

  it('is opened', () => {
    expect(eventsOf(undefined, requestItem())).toEqual([{ ...opened, data: requestBody() }]);
  });

  it.each(['approved', 'declined'] as const)('is %s', (state) => {
    expect(eventsOf(requestItem(), requestItem(state))).toEqual([
      {
        id: `${request}-${state}`,
        type: `request.${state}`,
        ...common,
        data: requestBody(state),
      },
    ]);
  });

  it('that is withdrawn causes no event', () => {
    expect(eventsOf(requestItem(), requestItem('withdrawn'))).toEqual([]);
  });

  it('that does not change its state causes no event', () => {
    expect(eventsOf(requestItem('approved'), requestItem('approved'))).toEqual([]);
  });
});
