import { isDiscarded, type Job } from '#lib/jobs/job.ts';
import { begin, forgetTasks, type Place, proceed, type Task } from './processes.ts';
import { type Due, lookInto, type Scenario, Scene } from './scene.ts';
import { verify } from './verify.ts';
import { emptyWorld, isRead, isTimeless, makeCall, type World } from './world.ts';

/** A worker: what it is doing, if anything, and whether it has crashed. */
interface Worker {
  readonly place: Place | undefined;
  readonly crashed: boolean;
}

/** What the clients of the two submissions know. */
interface Answers {
  readonly job?: unknown;
  readonly batch?: unknown;
}

export interface State {
  readonly world: World;
  readonly workers: readonly [Worker, Worker];
  readonly answers: Answers;
}

export interface Explored {
  readonly states: number;
  readonly transitions: number;
  readonly ends: number;
  readonly worlds: number;
  /** The longest of the shortest ways to a state. */
  readonly depth: number;
}

/** Which worker moved from where, and how. */
interface Cause {
  readonly number: number;
  readonly place: Place;
  readonly what: string;
}

/** How a state was reached. The state itself is forgotten once it is visited: there are millions. */
interface Seen {
  readonly from: number;
  readonly by: Cause | undefined;
}

/**
 * Visits every state that two workers can reach, whatever the order of their calls, if each may crash
 * once, before or after any of its calls takes effect. Throws at the first state that breaks a rule,
 * with the way to it, or if a state cannot reach an end.
 */
export async function explore(scenario: Scenario): Promise<Explored> {
  const scene = new Scene(scenario);
  forgetTasks(scenario.forgetsConditions);
  made.clear();
  const idle: Worker = { place: undefined, crashed: false };
  const first: State = { world: await openAccount(scene), workers: [idle, idle], answers: {} };
  const seen: Seen[] = [{ from: -1, by: undefined }];
  const numbers = new Map([[nameOf(first), 0]]);
  const edges: number[][] = [];
  const ends: number[] = [];
  const worlds = new Set<number>();
  let transitions = 0;
  let depth = -1;
  for (let level = [first], at = 0; level.length > 0; depth += 1) {
    const deeper: State[] = [];
    for (const state of level) {
      const from = at;
      at += 1;
      worlds.add(state.world.id);
      const next = await visit(scene, state).catch((error: unknown) => {
        throw new Error(`${Error.isError(error) ? error.message : error}\n${tellWay(seen, from)}`);
      });
      if (next.length === 0) ends.push(from);
      transitions += next.length;
      edges[from] = next.map(({ by, state: reached }) => {
        const name = nameOf(reached);
        const known = numbers.get(name);
        if (known !== undefined) return known;
        numbers.set(name, seen.length);
        deeper.push(reached);
        return seen.push({ from, by }) - 1;
      });
    }
    level = deeper;
  }
  const lost = findDeadEnd(edges, ends);
  if (lost !== undefined) throw new Error(`No end can be reached.\n${tellWay(seen, lost)}`);
  return { states: seen.length, transitions, ends: ends.length, worlds: worlds.size, depth };
}

async function visit(scene: Scene, state: State): Promise<Step[]> {
  const steps = await listSteps(scene, state);
  verify(scene.scenario, lookInto(state.world), state, steps.length === 0);
  return steps;
}

async function openAccount(scene: Scene): Promise<World> {
  let place = await begin(scene.openAccount);
  let world = emptyWorld;
  while (place.next) {
    const made = makeCall(world, place.next);
    world = made.world;
    place = await proceed(place, made.reply);
  }
  return world;
}

/** Swapping the workers changes nothing. */
function nameOf({ world, workers, answers }: State): string {
  const [one, other] = workers.map(({ place, crashed }) => (place?.id ?? 0) * 2 + Number(crashed));
  const pair = one! < other! ? `${one} ${other}` : `${other} ${one}`;
  return `${world.id} ${pair} ${nameAnswer(answers.job)} ${nameAnswer(answers.batch)}`;
}

function nameAnswer(answer: unknown): string {
  return Error.isError(answer) ? answer.name : String(answer);
}

interface Step {
  readonly by: Cause;
  readonly state: State;
}

async function listSteps(scene: Scene, state: State): Promise<Step[]> {
  const steps: Step[] = [];
  for (const [number, { place, crashed }] of state.workers.entries()) {
    if (place) {
      steps.push(await takeStep(state, number, place));
      if (!crashed) steps.push(...(await crash(state, number, place)));
    } else {
      for (const task of listTasks(scene, state, number)) {
        steps.push(await takeStep(state, number, await begin(task)));
      }
    }
  }
  return steps;
}

/** The call of a process takes effect, and the process gets its reply. */
async function takeStep(state: State, number: number, place: Place): Promise<Step> {
  const { world, reached } = await callFrom(state.world, place);
  const moved = move({ ...state, world }, number, { place: reached.next && reached });
  return {
    by: { number, place, what: 'call' },
    state: reached.next ? moved : { ...moved, answers: learn(state.answers, reached) },
  };
}

interface Made {
  readonly world: World;
  readonly reached: Place;
}

const made = new Map<number, Map<number, Made>>();

/** Makes the next call of a process in a world. Most pairs come up in many states. */
async function callFrom(world: World, place: Place): Promise<Made> {
  const known = made.get(place.id)?.get(world.id);
  if (known) return known;
  if (!place.next) throw new Error(`${place.task.name} has nothing to do.`);
  const { world: after, reply } = makeCall(world, place.next);
  let reached = await proceed(place, reply);
  const canGoOn = isRead(place.next) ? isRead : isTimeless;
  while (reached.next && canGoOn(reached.next)) {
    reached = await proceed(reached, makeCall(after, reached.next).reply);
  }
  const result = { world: after, reached };
  const ofPlace = made.get(place.id) ?? new Map<number, Made>();
  made.set(place.id, ofPlace.set(world.id, result));
  return result;
}

function learn(answers: Answers, { task, result }: Place): Answers {
  if (task.answers) return { [task.answers]: result, ...answers };
  if (Error.isError(result)) throw result;
  return answers;
}

/** The process dies before its call arrives, or before it gets the reply. */
async function crash(state: State, number: number, place: Place): Promise<Step[]> {
  const { world } = await callFrom(state.world, place);
  const worlds = world === state.world ? [world] : [state.world, world];
  return worlds.map((left) => ({
    by: { number, place, what: left === state.world ? 'crash before' : 'crash after' },
    state: move({ ...state, world: left }, number, { place: undefined, crashed: true }),
  }));
}

function move(state: State, number: number, change: Partial<Worker>): State {
  const [one, other] = state.workers;
  const workers: State['workers'] =
    number === 0 ? [{ ...one, ...change }, other] : [one, { ...other, ...change }];
  return { ...state, workers };
}

/** Lists what a worker that is free could begin in this state. */
function listTasks(scene: Scene, { world, workers, answers }: State, number: number): Task[] {
  const { jobs, due, batches } = lookInto(world);
  const { scenario } = scene;
  const other = workers[1 - number]?.place;
  // A client that got no answer sends its request again.
  const unanswered = scene.submissions.filter(
    ({ asked, task }) => answers[asked] === undefined && other?.task.name !== task.name,
  );
  return [
    ...unanswered.map(({ task }) => task),
    ...batches.filter(({ dueAt }) => dueAt).map((batch) => scene.attendBatch(batch)),
    ...(scenario.handsOver ? listSweeps(scene, due, other) : listEnds(scene, jobs)),
    ...jobs
      .filter((job) => scenario.cancels.includes(job.batch ? 'batch' : 'job') && !job.terminal)
      .map((job) => scene.discard(job, 'cancel')),
    ...jobs
      .filter((job) => scenario.deletes && !job.batch && job.terminal && !isDiscarded(job))
      .map((job) => scene.discard(job, 'delete')),
  ];
}

function listEnds(scene: Scene, jobs: readonly Job[]): Task[] {
  return jobs.filter(({ terminal }) => !terminal).map((job) => scene.end(job));
}

function listSweeps(scene: Scene, all: readonly Due[], other: Place | undefined): Task[] {
  return all.flatMap((due) => {
    const isHeld = isHandingOver(due, other);
    const { handle, cancelPending } = due.life;
    // No process lives longer than its lease on a hand-over.
    return isHeld && handle === undefined && !cancelPending ? [] : [scene.sweep(due, isHeld)];
  });
}

/** How many calls a hand-over has made when it has its lease: two reads and the claim. */
const callsUntilClaimed = 3;

function isHandingOver({ job }: Due, other: Place | undefined): boolean {
  if (!other || other.replies.length < callsUntilClaimed) return false;
  return other.task.name.startsWith(`sweep ${job.jobId},`);
}

/** Returns a state from which no end can be reached, if there is one. */
function findDeadEnd(edges: readonly number[][], ends: readonly number[]): number | undefined {
  const before: number[][] = edges.map(() => []);
  for (const [from, reached] of edges.entries()) {
    for (const to of reached) before[to]?.push(from);
  }
  const reaches = new Set(ends);
  for (const at of reaches) for (const from of before[at] ?? []) reaches.add(from);
  const lost = edges.findIndex((_, at) => !reaches.has(at));
  return lost < 0 ? undefined : lost;
}

function tellWay(seen: readonly Seen[], at: number): string {
  const steps: string[] = [];
  for (let place = at; place >= 0; place = seen[place]?.from ?? -1) {
    steps.unshift(tellCause(seen[place]?.by));
  }
  return steps.join('\n');
}

function tellCause(cause: Cause | undefined): string {
  if (!cause) return 'the account is open';
  const { number, place, what } = cause;
  return `worker ${number + 1}: ${place.task.name}: ${what} ${place.next?.operation}`;
}
