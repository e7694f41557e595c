import type { Asked, Balance, Change, Told } from './accounts.ts';
import type { Call } from './find-order.ts';

/** What a call was told. Undefined if no answer came, so that it may have happened or not. */
type Answered<Answer extends Told = Told> = Promise<Answer | undefined>;

/** A job that was accepted. */
export interface Submitted {
  readonly member: number;
  readonly id: string;
  readonly held: number;
}

/** A project with two members and a budget, wherever its service is. */
export interface Project {
  /** Seconds that the smallest job holds. */
  readonly unit: number;
  submit(job: Submitted): Answered;
  submitBatch(batch: Submitted, jobs: number): Answered;
  /** Ends a job, after it has used a share of what it holds if that can be chosen. */
  end(job: Submitted, share: number): Answered;
  grant(member: number, change: Change): Answered;
  share(member: number, change: Change): Answered;
  fund(change: Change): Answered;
  read(member: number | 'budget'): Answered<Balance | 'busy'>;
  /** Submits a job that ends by itself. Missing if none does. */
  submitShort?(job: Submitted): Answered;
  /** Waits for that end, and says whether it was seen. */
  awaitEnd?(job: Submitted): Promise<boolean>;
  /** Seconds that the jobs used that have ended, by their ids. */
  readUsed(): Promise<ReadonlyMap<string, number>>;
}

export interface Plan {
  readonly seed: number;
  readonly clients: number;
  readonly callsOfClient: number;
  /** Called after each call. */
  readonly onCall?: () => void;
}

/** What the members and the budget have at first, in units. */
export const firstGrants = [8, 4];
export const firstBudget = 8;

export type History = readonly Call<Asked, Told>[];

/** The same seed chooses the same (mulberry32). */
export function chooseBy(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

/** Plays clients side by side in one project, and writes down what they asked and were told. */
export async function play(project: Project, plan: Plan): Promise<History> {
  const choose = chooseBy(plan.seed);
  const { unit } = project;
  const calls: Call<Asked, Told>[] = [];
  const active: Submitted[] = [];
  let submitted = 0;
  let clock = 0;
  const tick = () => {
    clock += 1;
    return clock;
  };
  async function record(asked: Asked, ask: () => Answered): Promise<Told | undefined> {
    const invoked = tick();
    const told = await ask();
    calls.push({ asked, invoked, ...(told !== undefined && { answer: { told, at: tick() } }) });
    plan.onCall?.();
    return told;
  }
  // Most calls meet at the first member, and shares of both at the budget.
  const someone = () => (choose(4) === 0 ? 1 : 0);
  const describe = (units: number): Submitted => {
    submitted += 1;
    return { member: someone(), id: `j${submitted}`, held: units * unit };
  };

  async function submit(): Promise<void> {
    const job = describe(1 + choose(3));
    const told = await record({ act: 'submit', ...job }, () => project.submit(job));
    if (told === 'accepted') active.push(job);
  }
  async function submitBatch(): Promise<void> {
    const jobs = 2 + choose(3);
    const batch = describe(jobs);
    await record({ act: 'submit', ...batch }, () => project.submitBatch(batch, jobs));
  }
  /** Others may cancel the job before it ends by itself. */
  async function run(): Promise<void> {
    if (!project.submitShort || !project.awaitEnd) return;
    const job = describe(1);
    const invoked = clock;
    const told = await record(
      { act: 'submit', ...job },
      () => project.submitShort?.(job) ?? Promise.resolve(undefined),
    );
    if (told !== 'accepted') return;
    active.push(job);
    const isSeen = await project.awaitEnd(job);
    const asked: Asked = { act: 'end', ...job, used: 0 };
    calls.push({ asked, invoked, ...(isSeen && { answer: { told: 'done', at: tick() } }) });
  }
  async function end(): Promise<void> {
    const job = active[choose(active.length + 1)];
    if (!job) return;
    const share = choose(5) / 4;
    await record({ act: 'end', ...job, used: 0 }, () => project.end(job, share));
  }
  async function change(act: 'grant' | 'share' | 'fund'): Promise<void> {
    const adds = choose(2) === 0;
    const units = adds ? choose(5) - 1 : 6 + choose(6);
    const wish: Change = { mode: adds ? 'add' : 'set', seconds: units * unit };
    const member = someone();
    await record(act === 'fund' ? { act, ...wish } : { act, member, ...wish }, () =>
      act === 'fund' ? project.fund(wish) : project[act](member, wish),
    );
  }
  async function read(member: number | 'budget'): Promise<void> {
    await record({ act: 'read', member }, () => project.read(member));
  }

  const acts = [
    ...[submit, submit, submit, submitBatch, end, end, run],
    ...[() => change('grant'), () => change('share'), () => change('share'), () => change('fund')],
    ...[() => read(someone()), () => read(someone()), () => read('budget')],
  ];
  async function runClient(): Promise<void> {
    for (let made = 0; made < plan.callsOfClient; made += 1) await acts[choose(acts.length)]?.();
  }
  await Promise.all(Array.from({ length: plan.clients }, runClient));
  for (const member of [0, 1, 'budget'] as const) await read(member);
  const used = await project.readUsed();
  return calls.map((call) => ({ ...call, asked: complete(call.asked, used) }));
}

/** Only afterwards it is known what a job had used when it ended. */
function complete(asked: Asked, used: ReadonlyMap<string, number>): Asked {
  return asked.act === 'end' ? { ...asked, used: used.get(asked.id) ?? 0 } : asked;
}
