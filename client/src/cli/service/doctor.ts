import manifest from '../../../package.json' with { type: 'json' };
import { nameUnit, writeLeft, writeSpaceOf } from '../../format/amounts/amounts.ts';
import { writeCount, writeNumber } from '../../format/numbers/write-number.ts';
import { writeDay } from '../../format/times/day.ts';
import { writeDuration } from '../../format/times/duration.ts';
import { type Quota, ServiceUnreachable, type Status } from '../../index.ts';
import { createClient } from '../../node/index.ts';
import { term } from '../../words/terms.ts';
import { type ChargingOf, readCharging } from '../session/find.ts';
import { createCommand, type Open, type Session } from '../session/session.ts';
import { openConfigFile } from '../sign-in/profile.ts';
import { describeCause, type ExitCode, explain, outcome } from '../terminal/outcome.ts';
import { cleanText, padText } from '../terminal/text.ts';
import { phrase } from '../words/phrase.ts';

type State = 'ok' | 'warning' | 'failed';

interface Finding {
  readonly check: string;
  readonly state: State;
  readonly message: string;
  /** What to do about it. */
  readonly next?: string;
}

export function createDoctor(open: Open) {
  return createCommand('doctor', phrase('service.checkTheConnection'))
    .examples('slipway doctor', 'slipway --profile admin doctor --json')
    .action(async (_, command) => {
      const session = open(command);
      const { findings, exit } = await examine(session);
      session.end(exit);
      session.print(
        findings,
        ...findings.flatMap((finding) => describe(session, finding)),
        summarize(findings),
      );
    });
}

const marks = { ok: ['✔', 'green'], warning: ['!', 'yellow'], failed: ['✘', 'red'] } as const;

function describe({ screen }: Session, { check, state, message, next }: Finding): string[] {
  const [mark, colour] = marks[state];
  const head = screen.paint(colour, padText(`${mark} ${term(state)}`, 9, 'end'));
  return [
    `${head}  ${padText(term(check), 8, 'end')}  ${cleanText(message)}`,
    ...(next === undefined ? [] : [`${' '.repeat(21)}${next}`]),
  ];
}

function summarize(findings: readonly Finding[]): string {
  const count = (state: State) => findings.filter((each) => each.state === state).length;
  const [failed, warnings] = [count('failed'), count('warning')];
  if (failed > 0) return phrase('service.checksFailed', { checks: writeCount(failed, 'check') });
  return warnings > 0
    ? phrase('service.itWorks', { warnings: writeCount(warnings, 'warning') })
    : phrase('service.allIsWell');
}

interface Examination {
  readonly findings: readonly Finding[];
  readonly exit: ExitCode;
}

/** Checks one thing after the other, and stops where the next check would fail for the same reason. */
async function examine(session: Session): Promise<Examination> {
  let address: string;
  try {
    address = session.address();
  } catch (error) {
    return stop([], 'sign-in', error);
  }
  const found = await reach(session, address);
  if ('error' in found) {
    if (!(found.error instanceof ServiceUnreachable)) return stop([], 'address', found.error);
    const message = `${address}: ${describeCause(found.error)}`;
    const finding = warn('address', message, phrase('service.checkTheAddress'));
    return { findings: [{ ...finding, state: 'failed' }], exit: outcome.unreachable };
  }
  const findings = [
    judgeAddress(address, found),
    judgeVersion(found.status),
    judgeClock(found),
    judgeSystems(found.status),
  ];
  try {
    const { client } = session;
    const quotas = await client.listQuotas({ expand: 'usage' });
    const [projects, chargingOf] = await Promise.all([client.listProjects(), readCharging(client)]);
    const most = new Map(projects.map((each) => [each.project_name, each.max_living_jobs]));
    const limits = judgeLimits(quotas, most, chargingOf);
    const all = [...findings, judgeSignIn(session, quotas), ...limits];
    const isFailed = all.some(({ state }) => state === 'failed');
    return { findings: all, exit: isFailed ? outcome.refused : outcome.done };
  } catch (error) {
    return stop(findings, 'sign-in', error);
  }
}

function stop(before: readonly Finding[], check: string, error: unknown): Examination {
  const { lines, outcome: exit } = explain(error, false);
  const [message = '', next] = lines;
  const finding = { check, state: 'failed', message, ...(next !== undefined && { next }) } as const;
  return { findings: [...before, finding], exit };
}

function pass(check: string, message: string): Finding {
  return { check, state: 'ok', message };
}

function warn(check: string, message: string, next: string): Finding {
  return { check, state: 'warning', message, next };
}

interface Reached {
  readonly status: Status;
  readonly ms: number;
  /** The clock of the service minus this one, in seconds. Undefined if it did not tell. */
  readonly ahead: number | undefined;
}

/** Asks for the status, which needs no token. */
async function reach(session: Session, baseUrl: string): Promise<Reached | { error: unknown }> {
  const { fetch: request, ...limits } = session.limits();
  let times = { began: 0, ended: 0, date: '' };
  const client = createClient({
    baseUrl,
    ...limits,
    retries: 1,
    fetch: async (...words) => {
      const began = Date.now();
      const answer = await (request ?? fetch)(...words);
      times = { began, ended: Date.now(), date: answer.headers.get('date') ?? '' };
      return answer;
    },
  });
  try {
    const status = await client.readStatus();
    const { began, ended, date } = times;
    const told = Date.parse(date);
    // The header has whole seconds, so the service's clock is half a second later on average.
    const ahead = Math.round((told + 500 - (began + ended) / 2) / 1000);
    return { status, ms: ended - began, ahead: Number.isNaN(told) ? undefined : ahead };
  } catch (error) {
    session.interrupt.throwIfAborted();
    return { error };
  }
}

function judgeAddress(address: string, { ms }: Reached): Finding {
  const isSlow = ms > 3_000;
  const message = phrase('service.answeredInMs', { address, ms });
  if (!isSlow) return pass('address', message);
  return warn('address', message, phrase('service.theServiceOrTheNetwork'));
}

function judgeVersion({ version }: Status): Finding {
  const [theirs = '', ours = ''] = [version, manifest.version].map((each) => each.split('+')[0]);
  if (theirs === ours) return pass('version', phrase('service.theSameAsTheService', { ours }));
  const message = theirs
    ? phrase('service.theServiceHas', { theirs, ours })
    : phrase('service.theServiceHasNoVersion', { ours });
  return warn('version', message, phrase('service.installTheCommand'));
}

const littleSeconds = 10;
const muchSeconds = 300;

/** A wrong clock renews tokens too late, and storage refuses addresses that seem expired. */
function judgeClock({ ahead }: Reached): Finding {
  const check = 'clock';
  if (ahead === undefined) return pass(check, phrase('service.theServiceDoesNotTell'));
  const off = Math.abs(ahead);
  if (off <= littleSeconds) {
    return pass(check, phrase('service.withinSOfTheServices', { littleSeconds }));
  }
  const duration = writeDuration(off);
  const message =
    ahead > 0
      ? phrase('service.thisMachineIsBehind', { duration })
      : phrase('service.thisMachineIsAhead', { duration });
  const warning = warn(check, message, phrase('service.setTheClock'));
  return off > muchSeconds ? { ...warning, state: 'failed' } : warning;
}

function judgeSystems({ systems }: Status): Finding {
  const down = systems.filter(({ status }) => status === 'down').map(({ name }) => name);
  if (down.length === 0) return pass('systems', systems.map(({ name }) => name).join(', '));
  const message = phrase('service.cannotBeReached', { down: down.join(', ') });
  return warn('systems', message, phrase('service.youCanSubmitJobsAll'));
}

const soonMs = 600_000;

function judgeSignIn(session: Session, quotas: readonly Quota[]): Finding {
  const { host, profile: name } = session;
  const { SLIPWAY_TOKEN: given } = host.environment;
  const profile = openConfigFile(host).read(name);
  const token = given || profile?.token.access || '';
  const claims = readClaims(token);
  const who = quotas[0]?.user ?? claims.sub ?? phrase('service.somebodyWithoutQuotas');
  const source = given ? phrase('service.bySlipwayToken') : phrase('service.byProfile', { name });
  const ends = claims.exp === undefined ? profile?.token.expires : claims.exp * 1000;
  const renews =
    !given && (profile?.signIn.kind === 'laptop' || profile?.token.refresh !== undefined);
  const left = ends === undefined ? undefined : ends - Date.now();
  const time =
    left === undefined
      ? phrase('service.withoutAKnownEnd')
      : phrase('service.forAnother', {
          duration: writeDuration(Math.max(0, Math.round(left / 1000))),
        });
  const signedIn = phrase('service.signedInFor', { who, source, time });
  const endsSoon = !renews && left !== undefined && left < soonMs;
  return {
    check: 'sign-in',
    state: endsSoon ? 'warning' : 'ok',
    message: renews ? phrase('service.thenItRenewsItself', { signedIn }) : signedIn,
    ...(endsSoon && {
      next: given ? phrase('service.setAFreshTokenSoon') : phrase('service.signInAgainSoon'),
    }),
  };
}

/** Reads a token without checking it, which is the task of the service. */
function readClaims(token: string): { readonly sub?: string; readonly exp?: number } {
  try {
    const text = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8');
    const { sub, exp }: Record<string, unknown> = Object(JSON.parse(text));
    return { ...(typeof sub === 'string' && { sub }), ...(typeof exp === 'number' && { exp }) };
  } catch {
    return {};
  }
}

const little = 0.1;

function judgeLimits(
  quotas: readonly Quota[],
  most: ReadonlyMap<string, number>,
  chargingOf: ChargingOf,
): Finding[] {
  if (quotas.length === 0) {
    return [warn('limits', phrase('service.youHaveNoQuota'), phrase('shared.askForOne'))];
  }
  return quotas.map((quota) =>
    judgeQuota(quota, most.get(quota.project_name), nameUnit(chargingOf(quota.project_hpc))),
  );
}

function judgeQuota(
  { project_name: project, usage }: Quota,
  most: number | undefined,
  unit: string,
): Finding {
  const check = 'limits';
  if (!usage) return pass(check, project);
  const { time, space, living_jobs: active, valid_until: end, banned } = usage;
  const message = [
    `${project}: ${writeLeft(time.left, time.granted)} ${unit}`,
    writeSpaceOf(space),
    most === undefined
      ? writeCount(active, 'active job')
      : phrase('service.ofActiveJobs', { active: writeNumber(active), most: writeNumber(most) }),
    ...(end === null ? [] : [phrase('shared.until', { moment: writeDay(end) })]),
  ].join(', ');
  const concern = findConcern();
  return { check, state: concern === undefined ? 'ok' : 'warning', message, ...concern };

  function findConcern(): Pick<Finding, 'next'> | undefined {
    if (banned !== null)
      return { next: phrase('service.youMayNotSubmit', { banned: cleanText(banned) }) };
    if (time.left < time.granted * little || space.left < space.granted * little) {
      return { next: phrase('service.littleRemains', { project }) };
    }
    if (most !== undefined && active >= most) {
      return { next: phrase('service.waitUntilJobsEnd') };
    }
    return undefined;
  }
}
