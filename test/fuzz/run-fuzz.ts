import fc from 'fast-check';
import { type Exchange, judge, slowMs } from './judge.ts';
import { anyRequest } from './requests.ts';
import { asCurl, type GivenAnswer, type SentRequest, send } from './send.ts';
import { anyRawRequest, findWrongAnswer, sendRaw } from './sockets.ts';
import type { World } from './world.ts';
import { takeWrites } from './written.ts';

export interface FuzzPlan {
  readonly seed: number;
  readonly requests: number;
  /** How many requests are under way at once. */
  readonly lanes: number;
  /** Whether answers that are always slow are findings. */
  readonly timesAnswers: boolean;
  /** How many raw sockets are opened for every pack of requests. */
  readonly socketsPerPack: number;
  readonly onFinding?: (told: string) => void;
  /** Called after each pack. */
  readonly onProgress?: (report: FuzzReport) => Promise<void> | void;
  /** Ends the run early. */
  readonly deadline?: number;
}

export interface Finding {
  readonly rule: string;
  readonly wrong: string;
  readonly index: number;
  readonly request: SentRequest;
  readonly answer: GivenAnswer;
}

export interface FuzzReport {
  sent: number;
  sockets: number;
  /** Answers with 503 and Retry-After, which were asked for again. */
  busy: number;
  /** Slow answers that were fast when asked for again: what they were, and how long they took. */
  readonly stalls: string[];
  slowestMs: number;
  readonly statuses: Map<number, number>;
  /** Operations that have answered with something else than a refusal. */
  readonly served: Set<string>;
  readonly findings: Finding[];
  /** What raw sockets were answered with, if that was wrong. */
  readonly socketFindings: string[];
}

/** So many requests are drawn at once. The request of an index depends on nothing but the seed. */
const packSize = 200;

/** So many findings end a run: more of them rarely tell more. */
const enough = 25;

/** Sends seeded requests and judges each answer by the rules. */
export async function runFuzz(world: World, plan: FuzzPlan): Promise<FuzzReport> {
  const report: FuzzReport = {
    sent: 0,
    sockets: 0,
    busy: 0,
    stalls: [],
    slowestMs: 0,
    statuses: new Map(),
    served: new Set(),
    findings: [],
    socketFindings: [],
  };
  const seen = new Set<string>();
  for (let first = 0; first < plan.requests && report.findings.length < enough; first += packSize) {
    const count = Math.min(packSize, plan.requests - first);
    const pack = fc.sample(anyRequest, { seed: plan.seed + first, numRuns: count });
    let next = 0;
    const lane = async (): Promise<void> => {
      for (let place = next++; place < pack.length; place = next++) {
        const written = pack[place];
        const index = first + place;
        if (written) await tryOne(world, plan, report, seen, index, world.prepare(written, index));
      }
    };
    await Promise.all([
      ...Array.from({ length: plan.lanes }, lane),
      trySockets(world, plan, report, plan.seed + first),
    ]);
    await plan.onProgress?.(report);
    if (plan.deadline !== undefined && Date.now() > plan.deadline) break;
  }
  return report;
}

/** Opens raw sockets beside the requests. They share a connection with nobody. */
async function trySockets(world: World, plan: FuzzPlan, report: FuzzReport, seed: number) {
  if (plan.socketsPerPack === 0) return;
  const raw = fc.sample(anyRawRequest, { seed, numRuns: plan.socketsPerPack });
  await Promise.all(
    raw.map(async (request) => {
      const wrong = findWrongAnswer(await sendRaw(world.url, world.tokenOf('ada'), request));
      report.sockets += 1;
      if (wrong === undefined) return;
      const bytes = JSON.stringify(request.text.slice(0, request.cutAt));
      report.socketFindings.push(`${request.from} (seed ${seed}): ${wrong} ${bytes}`);
    }),
  );
}

async function tryOne(
  world: World,
  plan: FuzzPlan,
  report: FuzzReport,
  seen: Set<string>,
  index: number,
  request: SentRequest,
): Promise<void> {
  const exchange = await exchangeOnce(world, report, request, `${index}`);
  const { answer } = exchange;
  report.sent += 1;
  report.slowestMs = Math.max(report.slowestMs, answer.ms);
  report.statuses.set(answer.status, (report.statuses.get(answer.status) ?? 0) + 1);
  if (answer.status < 400) report.served.add(request.from);
  world.learn(request, answer);
  const broken = judge(exchange);
  if (plan.timesAnswers && answer.ms > slowMs) {
    const isSlow = await isSlowAgain(world, report, request, index);
    if (isSlow) broken.push({ rule: 'no answer is slow', wrong: `${Math.round(answer.ms)} ms` });
    else
      report.stalls.push(
        `${Math.round(answer.ms)} ms, ${answer.status}: ${asCurl(request).slice(0, 900)}`,
      );
  }
  for (const { rule, wrong } of broken) {
    // One finding of a kind is enough: the next runs show the others.
    const kind = `${rule} ${request.from} ${answer.status}`;
    if (seen.has(kind)) continue;
    seen.add(kind);
    const smallest = await shrink(world, report, request, rule, index);
    const finding = { rule, wrong, index, request: smallest, answer };
    report.findings.push(finding);
    plan.onFinding?.(explain(plan.seed, finding));
  }
}

/** Asks again while the service says that it is busy, as clients should. */
async function exchangeOnce(
  world: World,
  report: FuzzReport,
  request: SentRequest,
  name: string,
): Promise<Exchange> {
  for (let attempt = 0; ; attempt += 1) {
    const call = `${name}-${attempt}`;
    const answer = await send(request, call).catch(brokenOff);
    const written = takeWrites(call);
    const waitSeconds = Number(answer.headers['retry-after']);
    if (answer.status === 503 && waitSeconds > 0 && attempt < 20) {
      report.busy += 1;
      await new Promise((resolve) => setTimeout(resolve, 1000 * waitSeconds));
      continue;
    }
    const isOfApi = world.isOfApi(request);
    return { request, answer, written, isOfApi, plainUser: world.plainUserOf(request) };
  }
}

/** A connection that ends without an answer is judged as an answer without a status. */
function brokenOff(error: unknown): GivenAnswer {
  return { status: 0, headers: {}, text: String(error), bytes: 0, ms: 0 };
}

async function isSlowAgain(
  world: World,
  report: FuzzReport,
  request: SentRequest,
  index: number,
): Promise<boolean> {
  for (const attempt of [1, 2]) {
    const again = await exchangeOnce(world, report, request, `${index}-slow-${attempt}`);
    if (again.answer.ms <= slowMs) return false;
  }
  return true;
}

/** Leaves headers, query and body out as long as the same rule is broken without them. */
async function shrink(
  world: World,
  report: FuzzReport,
  found: SentRequest,
  rule: string,
  index: number,
): Promise<SentRequest> {
  let smallest = found;
  let tries = 0;
  const breaks = async (request: SentRequest): Promise<boolean> => {
    tries += 1;
    if (tries > 60 || rule === 'no answer is slow') return false;
    const exchange = await exchangeOnce(world, report, request, `${index}-shrink-${tries}`);
    return judge(exchange).some((each) => each.rule === rule);
  };
  for (const smaller of listSmaller(found)) {
    const candidate = smaller(smallest);
    if (candidate && (await breaks(candidate))) smallest = candidate;
  }
  return smallest;
}

type Smaller = (request: SentRequest) => SentRequest | undefined;

function listSmaller({ headers, url, body }: SentRequest): Smaller[] {
  const pairs = url.split('?').slice(1).join('?').split('&').filter(Boolean);
  return [
    (request) => body && { ...request, body: undefined },
    ...headers.map(
      (header): Smaller =>
        (request) => ({ ...request, headers: request.headers.filter((each) => each !== header) }),
    ),
    ...pairs.map(
      (pair): Smaller =>
        (request) => ({ ...request, url: leaveOut(request.url, pair) }),
    ),
  ];
}

function leaveOut(url: string, pair: string): string {
  const [path = '', ...query] = url.split('?');
  const others = query
    .join('?')
    .split('&')
    .filter((each) => each !== pair);
  return others.length === 0 ? path : `${path}?${others.join('&')}`;
}

/** Describes a finding so that somebody can try it again. */
export function explain(seed: number, { rule, wrong, index, request, answer }: Finding): string {
  return [
    `Broken: ${rule}. ${wrong}`,
    `  seed ${seed}, request ${index}, ${request.from} as ${request.caller}`,
    `  ${asCurl(request).slice(0, 4000)}`,
    `  ${answer.status} ${answer.text.slice(0, 600)}`,
  ].join('\n');
}
