import type { Slipway } from '#client/src/index.ts';
import { lab } from './story.ts';

/** A call in the story that is not a job. */
export interface Errand {
  /** UTC. */
  readonly at: string;
  readonly by: { readonly user: string; readonly administrator?: true };
  run(client: Slipway): Promise<unknown>;
}

const administrator = { user: '100001', administrator: true } as const;
const project = { hpc: 'hpc_one', project_name: 'proj_hpc_one_01' };
const nodeHour = 3600;
const place = { hpc: lab.hpc, project_name: lab.project };
const leader = { user: lab.leader };

/** Gives a member of the lab a share of its budget. */
const share = (user: string, hours: number, until: string) => (client: Slipway) =>
  client.grantQuota({
    ...place,
    user_id: user,
    body: {
      set: { time: hours * nodeHour, space: 2_000_000 },
      valid_until: until,
      reason: 'Decided in the group',
    },
  });

export const errands: readonly Errand[] = [
  {
    at: '2026-10-28T09:30:00Z',
    by: administrator,
    run: (client) =>
      client.grantQuota({
        ...project,
        user_id: '306330',
        body: {
          add: { time: 1000 * nodeHour },
          valid_until: '2027-03-31',
          reason: 'Decided by the board',
        },
      }),
  },
  {
    at: '2026-11-06T15:10:00Z',
    by: administrator,
    run: (client) =>
      client.openProject({
        hpc: 'hpc_one',
        any_project_name: 'spring_course',
        body: { description: 'Neurons, for beginners', reason: 'A course in spring' },
      }),
  },
  {
    at: '2026-11-09T08:00:00Z',
    by: administrator,
    async run(client) {
      const description = 'Release at single synapses';
      const opened = { hpc: lab.hpc, any_project_name: lab.project };
      await client.openProject({ ...opened, body: { description, reason: 'A new group' } });
      const set = { time: 5000 * nodeHour, space: 20_000_000 };
      const body = { set, valid_until: '2027-12-31', reason: 'A new group' };
      await client.changeBudget({ ...place, body });
      const leaders = [lab.leader];
      await client.setLeaders({ ...place, body: { leaders, reason: 'A new group' } });
    },
  },
  { at: '2026-11-10T09:00:00Z', by: leader, run: share('306336', 600, '2027-06-30') },
  { at: '2026-11-10T09:05:00Z', by: leader, run: share('306337', 1200, '2027-12-31') },
  { at: '2026-11-16T10:00:00Z', by: leader, run: share('306338', 0, '2027-12-31') },
  {
    at: '2026-11-18T13:10:00Z',
    by: { user: '306338' },
    run: (client) =>
      client.askForMore({
        body: { ...place, time: 100 * nodeHour, reason: 'First tries for my thesis' },
      }),
  },
  {
    at: '2026-11-17T16:45:00Z',
    by: { user: '306329' },
    run: (client) =>
      client.askForMore({
        body: { ...project, time: 2000 * nodeHour, reason: 'Eighty members instead of forty' },
      }),
  },
  {
    at: '2026-11-18T12:50:00Z',
    by: { user: '306330' },
    run: (client) =>
      client.askForMore({
        body: { ...project, time: 300 * nodeHour, reason: 'The referees want finer steps' },
      }),
  },
];
