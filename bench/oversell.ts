import { join } from 'node:path';
import * as v from 'valibot';
import { readEnvironment } from '#lib/config.ts';
import { openIssuer } from '#local/issuer.ts';
import { findFreePort } from '#test/engines/find-free-port.ts';
import { recordRun } from '#test/setup/record-run.ts';
import { type Figure, formatTable } from './measure/figures.ts';
import { startLaptopEdition } from './measure/laptop-edition.ts';
import type { Part } from './measure/part.ts';
import { createTemporaryFolder } from './measure/processes.ts';
import { openContractTarget } from './oversell/contract-target.ts';
import { isExact, playRound, type Verdict } from './oversell/play-round.ts';
import { openSlipwayTarget } from './oversell/slipway-target.ts';
import type { Access, Target } from './oversell/target.ts';

const Tokens = v.object({ TOKEN: v.string(), ADMIN_TOKEN: v.optional(v.string()) });

export const part: Part = {
  about: `Submits more jobs at once than a quota suffices for, and counts what was sold beyond it, accepted and
lost, or made twice. Without --url it starts the laptop edition, kills it in between and starts it again
with its data. With --url it measures any service: TOKEN is a user's token, and ADMIN_TOKEN one that may
grant quotas, which the adapter 'contract' doesn't need. docs/reliability.md says more.
`,
  options: {
    submissions: { usual: 400, about: 'how many jobs are submitted in each round' },
    fits: { usual: 50, about: 'for how many of them the quota suffices (adapter slipway)' },
    'at-once': { usual: 64, about: 'how many requests are open at once' },
    rounds: { usual: 5, about: 'how often, each time as another user (once with --url)' },
    kills: { usual: 2, about: 'kills of the laptop edition in each round' },
    adapter: { usual: 'slipway', about: 'slipway, or contract for any service with its paths' },
    url: { about: 'address of the service' },
    hpc: { usual: 'hpc_one', about: 'system' },
    project: { usual: 'proj_hpc_one_01', about: 'project' },
    fields: {
      usual: '{"command":"sleep 3600","node_number":"100","core_number":"1","runtime":"1.0"}',
      about: 'fields of a submission',
    },
    'no-kills': { usual: false, about: 'kill nothing' },
  },
  async measure({ count, text, flag }) {
    const began = performance.now();
    const url = text('url');
    const place = url === undefined ? await startOwn() : describeOther(url);
    const shared = {
      hpc: text('hpc') ?? '',
      project: text('project') ?? '',
      fields: JSON.parse(text('fields') ?? '{}'),
    };
    const verdicts: Verdict[] = [];
    for (let round = 1; round <= (place.kill ? count('rounds') : 1); round += 1) {
      const access = { ...shared, url: place.url, token: place.tokenOf(round) };
      const target = openTarget(text('adapter'), access, place.adminToken);
      const verdict = await playRound(target, {
        submissions: count('submissions'),
        fits: count('fits'),
        atOnce: count('at-once'),
        ...(place.kill && !flag('no-kills') && { kills: count('kills'), kill: place.kill }),
      });
      verdicts.push(verdict);
    }
    await place.stop?.();
    process.stdout.write(describeVerdicts(verdicts));
    if (!verdicts.every(isExact)) process.exitCode = 1;
    record(verdicts, (performance.now() - began) / 1000);
    return listFigures(verdicts);
  },
};

function openTarget(adapter: string | undefined, access: Access, adminToken: string): Target {
  if (adapter === 'contract') return openContractTarget(access);
  if (adapter === 'slipway') return openSlipwayTarget(access, adminToken);
  throw new Error(`There is no adapter ${adapter}. Choose slipway or contract.`);
}

interface Place {
  readonly url: string;
  readonly adminToken: string;
  tokenOf(round: number): string;
  readonly kill?: () => Promise<void>;
  readonly stop?: () => Promise<void>;
}

/** Starts the laptop edition with simulated jobs that outlast the run, so that none gives time back. */
async function startOwn(): Promise<Place> {
  const folder = createTemporaryFolder();
  const environment = { PORT: String(await findFreePort()), SIM_HOUR_SECONDS: '36000' };
  let edition = await startLaptopEdition(folder, environment);
  const issuer = openIssuer(join(folder, '.slipway'));
  return {
    url: edition.url,
    adminToken: issuer.issueToken({ user: '100001', administrator: true }),
    tokenOf: (round) => issuer.issueToken({ user: String(700_000 + round) }),
    async kill() {
      await edition.kill();
      edition = await startLaptopEdition(folder, environment);
    },
    stop: () => edition.stop(),
  };
}

function describeOther(url: string): Place {
  const { TOKEN: token, ADMIN_TOKEN: adminToken = '' } = readEnvironment(Tokens);
  return { url: url.replace(/\/$/, ''), adminToken, tokenOf: () => token };
}

const columns = [
  ...(['submissions', 'kills', 'fits', 'accepted', 'refused', 'unanswered', 'jobs'] as const),
  ...(['oversold', 'lost', 'doubled', 'unsold', 'astray', 'ended'] as const),
];

export function describeVerdicts(verdicts: readonly Verdict[]): string {
  const sums = sumUp(verdicts);
  const rows = [...verdicts, sums].map((verdict, index) => [
    index === verdicts.length ? 'all' : String(index + 1),
    ...columns.map((column) => String(verdict[column])),
  ]);
  const { oversold, lost, doubled } = sharesOf(verdicts);
  const percent = (value: number) => `${value.toFixed(2)} %`;
  const ended =
    sums.ended > 0 ? 'INVALID: jobs ended meanwhile. Ask for jobs that outlast the run.\n' : '';
  return `${formatTable([['round', ...columns], ...rows])}
oversold ${percent(oversold)} of the quota, lost ${percent(lost)} of the accepted jobs, doubled ${percent(doubled)} of the submissions
${ended}`;
}

function sumUp(verdicts: readonly Verdict[]): Verdict {
  const sum = (column: keyof Verdict) => verdicts.reduce((total, each) => total + each[column], 0);
  return {
    submissions: sum('submissions'),
    kills: sum('kills'),
    fits: sum('fits'),
    accepted: sum('accepted'),
    refused: sum('refused'),
    unanswered: sum('unanswered'),
    jobs: sum('jobs'),
    oversold: sum('oversold'),
    lost: sum('lost'),
    doubled: sum('doubled'),
    unsold: sum('unsold'),
    astray: sum('astray'),
    ended: sum('ended'),
  };
}

/** Returns percentages, of the jobs that fit, the accepted ones, and the submissions. */
function sharesOf(verdicts: readonly Verdict[]) {
  const { oversold, fits, lost, accepted, doubled, submissions } = sumUp(verdicts);
  const share = (part: number, whole: number) => (whole > 0 ? (100 * part) / whole : 0);
  return {
    oversold: share(oversold, fits),
    lost: share(lost, accepted),
    doubled: share(doubled, submissions),
  };
}

function listFigures(verdicts: readonly Verdict[]): Figure[] {
  return Object.entries(sharesOf(verdicts)).map(([name, value]) => ({
    name: `oversell.${name}`,
    value,
    unit: '%',
  }));
}

function record(verdicts: readonly Verdict[], seconds: number): void {
  const { submissions, fits, accepted, kills, oversold, lost, doubled } = sumUp(verdicts);
  const wrong = Math.min(submissions, oversold + lost + doubled);
  recordRun({
    suite: 'oversell',
    tried: [{ unit: 'submissions', tried: submissions, survived: submissions - wrong }],
    figures: [
      `${accepted} accepted for ${fits} that fit, with ${kills} kills`,
      `${oversold} oversold, ${lost} lost, ${doubled} doubled`,
    ],
    seconds,
  });
}
