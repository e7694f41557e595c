import type { Slipway } from '#client/src/index.ts';

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
