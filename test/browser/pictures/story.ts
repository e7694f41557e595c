/** A job in the month that the pictures show. */
export interface Scene {
  /** When it is submitted, in UTC. */
  readonly at: string;
  readonly user: string;
  readonly hpc: 'hpc_one' | 'hpc_two';
  /** Default: the default project of the system. */
  readonly project?: string;
  readonly program: string;
  readonly title: string;
  readonly nodes: number;
  readonly hours: number;
  readonly fails?: true;
  readonly cancelledAt?: string;
}

/** All pictures are taken at this time, on a Wednesday afternoon. */
export const now = new Date('2026-11-18T14:30:00Z');

const ada = '306328';
const tool = 'NEURON74_TG';

/** A project with a budget and a leader, whose members are not in the other pictures. */
export const lab = { hpc: 'hpc_one', project: 'synapse_lab', leader: '306335' } as const;

/** Jobs that run again and again, with their days. */
const habits: readonly (Omit<Scene, 'at'> & { readonly clock: string; readonly days: string })[] = [
  {
    user: ada,
    hpc: 'hpc_one',
    program: 'python3 simulate.py --grid 48',
    title: 'Cortical column, 48 × 48',
    nodes: 16,
    hours: 8,
    clock: '08:40',
    days: '10-20 10-21 10-23 10-27 10-28 10-30 11-02 11-04 11-05 11-09 11-11 11-12 11-16',
  },
  {
    user: ada,
    hpc: 'hpc_one',
    program: 'python3 fit.py',
    title: 'Fit of the synapse model',
    nodes: 4,
    hours: 6,
    clock: '09:15',
    days: '10-20 10-22 10-26 10-29 11-03 11-06 11-10 11-13 11-17',
  },
  {
    user: ada,
    hpc: 'hpc_two',
    program: tool,
    title: 'Morphologies, pyramidal cells',
    nodes: 24,
    hours: 0.5,
    clock: '11:05',
    days: '10-22 10-27 10-29 11-03 11-05 11-10 11-12 11-16 11-17',
  },
  {
    user: '306329',
    hpc: 'hpc_one',
    program: './ensemble.sh',
    title: 'Ensemble, forty members',
    nodes: 40,
    hours: 10,
    clock: '07:50',
    days: '10-21 10-28 11-04 11-11',
  },
  {
    user: '306330',
    hpc: 'hpc_one',
    program: 'julia sweep.jl',
    title: 'Sweep over temperatures',
    nodes: 8,
    hours: 12,
    clock: '08:05',
    days: '10-26 11-02 11-09 11-16',
  },
];

const lately: readonly Scene[] = [
  {
    at: '2026-11-17T13:20:00Z',
    user: ada,
    hpc: 'hpc_one',
    program: 'python3 simulate.py --grid 96',
    title: 'Cortical column, 96 × 96',
    nodes: 64,
    hours: 12,
    cancelledAt: '2026-11-17T14:05:00Z',
  },
  {
    at: '2026-11-18T07:55:00Z',
    user: ada,
    hpc: 'hpc_one',
    program: 'python3 fit.py --noise 0.2',
    title: 'Fit with noise 0.2',
    nodes: 4,
    hours: 2,
    fails: true,
  },
  {
    at: '2026-11-18T08:32:00Z',
    user: ada,
    hpc: 'hpc_one',
    program: 'python3 main.py',
    title: 'Spike trains, night 12',
    nodes: 2,
    hours: 3,
  },
  {
    at: '2026-11-18T08:50:00Z',
    user: '306330',
    hpc: 'hpc_one',
    program: 'julia sweep.jl',
    title: 'Sweep over temperatures',
    nodes: 8,
    hours: 12,
  },
  {
    at: '2026-11-18T09:20:00Z',
    user: '306336',
    hpc: lab.hpc,
    project: lab.project,
    program: 'python3 release.py',
    title: 'Vesicle release',
    nodes: 10,
    hours: 12,
  },
  {
    at: '2026-11-18T10:04:00Z',
    user: ada,
    hpc: 'hpc_one',
    program: 'python3 simulate.py --grid 48',
    title: 'Cortical column, 48 × 48',
    nodes: 16,
    hours: 8,
  },
  {
    at: '2026-11-18T13:12:00Z',
    user: ada,
    hpc: 'hpc_one',
    program: 'python3 fit.py --noise 0.1',
    title: 'Fit with noise 0.1',
    nodes: 4,
    hours: 3,
  },
  {
    at: '2026-11-18T14:04:30Z',
    user: ada,
    hpc: 'hpc_two',
    program: tool,
    title: 'Morphologies, interneurons',
    nodes: 24,
    hours: 0.5,
  },
  {
    at: '2026-11-18T14:29:20Z',
    user: ada,
    hpc: 'hpc_one',
    program: 'python3 main.py',
    title: 'Spike trains, night 13',
    nodes: 2,
    hours: 3,
  },
];

/** All jobs, by time. */
export const story: readonly Scene[] = [
  ...habits.flatMap(({ days, clock, ...habit }) =>
    days.split(' ').map((day) => ({ ...habit, at: `2026-${day}T${clock}:00Z` })),
  ),
  ...lately,
].toSorted((one, other) => one.at.localeCompare(other.at));
