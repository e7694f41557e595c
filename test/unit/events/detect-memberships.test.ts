import { describe, expect, it } from 'vitest';
import { detectEvents } from '#lib/events/detect-events.ts';
import { presentEvent } from '#lib/http/presenters/present-event.ts';
import { budgetItem, claimedItem, leftAct, loginItem } from '#test/fixtures/memberships.ts';
import {
  administrator,
  hpcOne,
  openedProject,
  projectItem,
  quotaItem,
  user,
} from '#test/fixtures/samples.ts';
import { streamRecord, writtenAt } from '#test/fixtures/stream-records.ts';

type Item = Readonly<Record<string, unknown>>;

function eventsOf(oldItem: Item | undefined, newItem: Item | undefined) {
  const events = detectEvents(streamRecord(oldItem, newItem, 'e1')).map(presentEvent);
  return JSON.parse(JSON.stringify(events));
}

const at = writtenAt.toISOString();
const project = projectItem(openedProject);
const closed = projectItem(openedProject, { closed: true });
const lab = { project: 1001, project_hpc: 'HPC_ONE', project_name: 'lab_42' };

describe('a project', () => {
  it('is opened, closed and opened again, each with an event without an owner', () => {
    const { number, hpc, project_name, description } = project;
    const data = {
      project: number,
      project_hpc: hpc.toUpperCase(),
      project_name,
      description,
      shared: false,
      members: null,
    };
    const opened = { id: 'e1-project-opened', type: 'project.opened', at, data };
    expect(eventsOf(undefined, project)).toEqual([opened]);
    expect(eventsOf(project, closed)).toEqual([
      { ...opened, id: 'e1-project-closed', type: 'project.closed' },
    ]);
    expect(eventsOf(closed, project)).toEqual([opened]);
  });

  it('causes none if it stays open or closed', () => {
    expect(eventsOf(project, { ...project, max_living_jobs: 7 })).toEqual([]);
    expect(eventsOf(closed, { ...closed, description: 'x' })).toEqual([]);
  });
});

describe('a budget', () => {
  const told = {
    id: 'e1-budget-changed',
    type: 'budget.changed',
    at,
    data: { ...lab, time: 36_000_000, space: 100_000_000, valid_until: '2028-01-01T00:00:00Z' },
  };

  it('that is given or changed causes an event with its new total', () => {
    expect(eventsOf(undefined, budgetItem)).toEqual([told]);
    const { valid_until: _, ...endless } = budgetItem as Item;
    expect(eventsOf(endless, budgetItem)).toEqual([told]);
    expect(eventsOf({ ...budgetItem, time_granted: 1 }, budgetItem)).toEqual([told]);
    expect(eventsOf({ ...budgetItem, space_granted: 1 }, budgetItem)).toEqual([told]);
    expect(eventsOf(budgetItem, endless)).toMatchObject([{ data: { valid_until: null } }]);
  });

  it('that jobs use, or that is shared out, causes none', () => {
    const used = { ...budgetItem, time_left: 0, time_held: 36_000_000, living_jobs: 3 };
    expect(eventsOf(budgetItem, used)).toEqual([]);
  });
});

describe('a member', () => {
  const place = { project: 1, project_hpc: 'HPC_ONE', project_name: hpcOne.project };

  it('joins with a quota', () => {
    const joined = { id: 'e1-member-joined', type: 'member.joined', owner: user, at };
    const data = { ...place, user, through_group: false };
    expect(eventsOf(undefined, quotaItem(hpcOne))).toEqual([{ ...joined, data }]);
    expect(eventsOf(undefined, { ...quotaItem(hpcOne), through_group: true })).toEqual([
      { ...joined, data: { ...data, through_group: true } },
    ]);
  });

  it('leaves when the quota is removed, which other acts do not', () => {
    expect(eventsOf(undefined, leftAct)).toEqual([
      {
        id: `${Object(leftAct).act_id}-member-left`,
        type: 'member.left',
        owner: user,
        at,
        data: {
          project_hpc: 'HPC_ONE',
          project_name: 'lab_42',
          user,
          by: administrator,
          reason: 'she has left',
        },
      },
    ]);
    expect(eventsOf(undefined, { ...leftAct, kind: 'quota-granted' })).toEqual([]);
    expect(eventsOf(quotaItem(hpcOne), undefined)).toEqual([]);
  });
});

describe('the account of a user', () => {
  const mapped = { id: 'e1-account-mapped', type: 'account.mapped', owner: user, at };
  const data = { user, hpc: 'hpc_one', account: 'ada', previous_account: null };

  it.each([{ item: loginItem }, { item: claimedItem }])(
    'becomes known and changes, as $item.type',
    ({ item }) => {
      expect(eventsOf(undefined, item)).toEqual([{ ...mapped, data }]);
      expect(eventsOf({ ...item, login: 'eve' }, item)).toEqual([
        { ...mapped, data: { ...data, previous_account: 'eve' } },
      ]);
      expect(eventsOf(item, item)).toEqual([]);
    },
  );
});
