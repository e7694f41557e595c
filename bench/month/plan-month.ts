/** What happens at an hour of the month, counted from the midnight before its first Monday. */
export type Act = { readonly hour: number } & (
  | { readonly kind: 'job'; readonly user: string; readonly hpc: string; readonly work: Work }
  | {
      readonly kind: 'sweep';
      readonly user: string;
      readonly hpc: string;
      readonly work: Work;
      readonly count: number;
    }
  | { readonly kind: 'look'; readonly user: string; readonly page: number }
  | { readonly kind: 'pause' | 'resume'; readonly hpc: string }
);

interface Work {
  readonly nodes: number;
  readonly hours: number;
}

export interface Centre {
  readonly users: number;
  /** Jobs in the month, about. */
  readonly jobs: number;
  readonly systems: readonly [string, string];
}

export const hoursOfMonth = 30 * 24;
export const numberOfUser = (index: number): string => String(500_001 + index);

/** A Wednesday on which the second cluster is away, from six in the morning on. */
export const away = { from: 16 * 24 + 6, until: 17 * 24 + 6 };
/** The last evening of a course: everybody submits, and everybody looks. */
const evening = { from: 25 * 24 + 18, until: 25 * 24 + 23, students: 60, jobs: 4, looks: 10 };
/** Three of five jobs belong to sweeps. */
const shareOfSweeps = 0.6;
const looksPerSubmission = 4;

/** Plans a month. The same centre has the same month. */
export function planMonth({ users, jobs, systems }: Centre): Act[] {
  const draw = createDraw(20_261_101);
  const acts: Act[] = [];
  const drawUser = () => numberOfUser(Math.floor(users * draw() ** 3));
  const drawSystem = () => systems[draw() < 0.7 ? 0 : 1];
  const submit = (kind: 'job' | 'sweep', count: number) => {
    const [hour, user, hpc] = [drawHour(draw), drawUser(), drawSystem()];
    const work = drawWork(draw);
    acts.push(
      kind === 'job' ? { kind, hour, user, hpc, work } : { kind, hour, user, hpc, work, count },
    );
    for (let look = 0; look < looksPerSubmission; look += 1) {
      acts.push({ kind: 'look', hour: hour + 4 * draw() ** 2, user, page: look });
    }
  };
  let inSweeps = 0;
  while (inSweeps < jobs * shareOfSweeps) {
    const count = Math.round(10 * 20 ** draw());
    submit('sweep', count);
    inSweeps += count;
  }
  for (let job = inSweeps; job < jobs; job += 1) submit('job', 1);
  for (let student = 0; student < evening.students; student += 1) {
    const user = numberOfUser(users - 1 - student);
    const hour = () => evening.from + draw() * (evening.until - evening.from);
    for (let job = 0; job < evening.jobs; job += 1) {
      acts.push({
        kind: 'job',
        hour: hour(),
        user,
        hpc: systems[0],
        work: { nodes: 1, hours: 0.2 },
      });
    }
    for (let look = 0; look < evening.looks; look += 1) {
      acts.push({ kind: 'look', hour: hour(), user, page: look });
    }
  }
  acts.push({ kind: 'pause', hour: away.from, hpc: systems[1] });
  acts.push({ kind: 'resume', hour: away.until, hpc: systems[1] });
  return acts.filter(({ hour }) => hour < hoursOfMonth).sort((one, other) => one.hour - other.hour);
}

/** Most people work by day and on weekdays; some submit before they go home. */
function drawHour(draw: () => number): number {
  while (true) {
    const hour = draw() * hoursOfMonth;
    const [day, clock] = [Math.floor(hour / 24) % 7, hour % 24];
    const byClock = clock < 7 ? 0.1 : clock < 9 ? 0.5 : clock < 19 ? 1 : 0.3;
    if (draw() < byClock * (day < 5 ? 1 : 0.2)) return hour;
  }
}

/** Half of the jobs ask for less than 90 minutes, a few for a day. */
function drawWork(draw: () => number): Work {
  const normal = Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw());
  const hours = Math.min(24, Math.max(0.1, 1.5 * Math.exp(1.2 * normal)));
  return { nodes: 2 ** Math.floor(4 * draw() ** 2), hours: Math.round(hours * 10) / 10 };
}

/** A linear congruential generator by Knuth, because `Math.random` cannot be repeated. */
function createDraw(seed: number): () => number {
  let state = BigInt(seed);
  return () => {
    state =
      (state * 6_364_136_223_846_793_005n + 1_442_695_040_888_963_407n) & 0xffff_ffff_ffff_ffffn;
    return Number(state >> 11n) / 2 ** 53;
  };
}
