import * as v from 'valibot';
import type { Charging } from '#lib/catalog/hpc-system.ts';
import { wordOfCharging } from '#lib/catalog/hpc-system.ts';
import type { OutsideGrant, SourceProblem, Translation } from './outside-grant.ts';

/** The system that the associations are for. */
interface Target {
  readonly name: string;
  readonly charging: Charging;
}

const Renames = v.strictObject({ projects: v.record(v.string(), v.string()) });

/** Reads what projects are called here, by the names of their accounts. */
export function readRenames(json: unknown): Readonly<Record<string, string>> {
  return v.parse(Renames, json).projects;
}

/** The resource whose minutes mean the same as the time of a system. */
const resourceOf = { 'wall-clock': undefined, node: 'node', core: 'cpu', weights: 'billing' };

/** An association, from whatever it was read. */
interface Association {
  readonly line: number;
  readonly cluster: string;
  readonly account: string;
  readonly user: string;
  readonly partition: string;
  /** Minutes of each resource, such as `gres/gpu`. */
  readonly minutes: ReadonlyMap<string, number>;
}

/**
 * Translates associations of Slurm: what an account may use is the budget of a project, what a user
 * may use in it is that user's quota, and a user without a limit is a member. Only the resource that
 * the system charges is taken, because others can't be told from it.
 */
export function translateAssociations(
  text: string,
  target: Target,
  renames: Readonly<Record<string, string>> = {},
): Translation {
  const wanted = resourceOf[wordOfCharging(target.charging)];
  if (wanted === undefined) {
    throw new Error(
      `'${target.name}' charges time by the clock, which Slurm has no limit for. Import a table instead: --from csv.`,
    );
  }
  const associations = readAssociations(text).filter(({ account }) => account !== 'root');
  const clusters = [...new Set(associations.map(({ cluster }) => cluster))];
  if (clusters.length > 1) {
    throw new Error(
      `These associations are of several clusters: ${clusters.join(', ')}. Use those of one: sacctmgr -P show assoc cluster=${clusters[0]}`,
    );
  }
  const limited = new Set(
    associations
      .filter(({ user, minutes }) => user === '' && minutes.has(wanted))
      .map(({ account }) => account),
  );
  const problems: SourceProblem[] = [];
  const grants: OutsideGrant[] = [];
  for (const association of associations) {
    const isShared = limited.has(association.account);
    const problem = judge(association, { name: target.name, wanted, isShared });
    if (problem !== undefined) problems.push({ line: association.line, message: problem });
    const grant = translate(association, { name: target.name, wanted, isShared });
    if (grant) grants.push({ ...grant, project: renames[grant.project] ?? grant.project });
  }
  return {
    source: 'slurm',
    grants,
    problems,
    choices: [
      `'${target.name}' charges ${describe[wordOfCharging(target.charging)]}, so ${wanted}= of GrpTRESMins is taken, in minutes. Other resources are left out.`,
      'A limit of an account becomes the budget of a shared project of that name. In other accounts, a limit of a user becomes their quota. Users without a limit become members.',
    ],
  };
}

interface Meaning {
  readonly name: string;
  readonly wanted: string;
  /** Whether the account has a limit, from which all its users draw. */
  readonly isShared: boolean;
}

function translate(
  { line, cluster, account, user, partition, minutes }: Association,
  { name, wanted, isShared }: Meaning,
): OutsideGrant | undefined {
  const found = user === '' || !isShared ? minutes.get(wanted) : undefined;
  if (partition !== '' || (user === '' && found === undefined)) return undefined;
  return {
    line,
    id: [cluster, account, user].join('/'),
    hpc: name,
    project: account,
    ...(isShared && { shared: true as const }),
    ...(user !== '' && { login: user }),
    ...(found !== undefined && { seconds: found * 60 }),
  };
}

/** Says what of an association does not fit. */
function judge(
  { account, user, partition, minutes }: Association,
  { name, wanted, isShared }: Meaning,
): string | undefined {
  const who = user === '' ? `account ${account}` : `user ${user} in account ${account}`;
  if (partition !== '') {
    return `${who}: this is for the partition ${partition} alone, and is left out. Give the account a limit, or open a project for it.`;
  }
  if (minutes.size === 0) return undefined;
  if (!minutes.has(wanted)) {
    return `${who}: it limits ${[...minutes.keys()].join(', ')}, but ${name} charges ${wanted}. Set GrpTRESMins=${wanted}=... there, or import a table with --from csv.`;
  }
  return user !== '' && isShared
    ? `${who}: the limit of the user is left out, because all users draw from that of the account. Make the project one that is not shared, and share out its budget.`
    : undefined;
}

const describe = {
  'wall-clock': 'hours by the clock',
  node: 'node-hours',
  core: 'core-hours',
  weights: 'hours by weights',
} as const;

function readAssociations(text: string): readonly Association[] {
  return text.trimStart().startsWith('{') ? readAnswer(JSON.parse(text)) : readListing(text);
}

const needed = ['Cluster', 'Account', 'User', 'GrpTRESMins'] as const;

/** Reads what `sacctmgr -P show assoc` prints: names and rows, with bars between the cells. */
function readListing(text: string): readonly Association[] {
  const [head = '', ...rows] = text.split(/\r?\n/);
  const names = head.split('|');
  const missing = needed.filter((name) => !names.includes(name));
  if (missing.length > 0) {
    throw new Error(
      `The first line lacks ${missing.join(', ')}. Use the output of: sacctmgr -P show assoc`,
    );
  }
  return rows.flatMap((row, index) => {
    if (row.trim() === '') return [];
    const cells = row.split('|');
    const cell = (name: string) => cells[names.indexOf(name)]?.trim() ?? '';
    return [
      {
        line: index + 2,
        cluster: cell('Cluster'),
        account: cell('Account'),
        user: cell('User'),
        partition: cell('Partition'),
        minutes: readMinutes(cell('GrpTRESMins')),
      },
    ];
  });
}

/** Reads `cpu=600000,gres/gpu=12000`. */
function readMinutes(text: string): ReadonlyMap<string, number> {
  const pairs = text.split(',').map((part) => part.split('='));
  return new Map(
    pairs.flatMap(([name = '', count = '']) =>
      /^\d+$/.test(count) ? [[name, Number(count)] as const] : [],
    ),
  );
}

const Answer = v.object({
  associations: v.array(
    v.object({
      cluster: v.optional(v.string(), ''),
      account: v.string(),
      user: v.optional(v.nullable(v.string()), ''),
      partition: v.optional(v.nullable(v.string()), ''),
      max: v.optional(
        v.object({
          tres: v.optional(
            v.object({
              group: v.optional(
                v.object({
                  minutes: v.optional(
                    v.array(
                      v.object({
                        type: v.string(),
                        name: v.optional(v.nullable(v.string()), ''),
                        count: v.number(),
                      }),
                    ),
                    [],
                  ),
                }),
              ),
            }),
          ),
        }),
      ),
    }),
  ),
});

/** Reads what slurmrestd answers at `/slurmdb/v0.0.38/associations`. Lines are counted from 1. */
function readAnswer(json: unknown): readonly Association[] {
  return v.parse(Answer, json).associations.map((association, index) => ({
    line: index + 1,
    cluster: association.cluster,
    account: association.account,
    user: association.user ?? '',
    partition: association.partition ?? '',
    minutes: new Map(
      (association.max?.tres?.group?.minutes ?? []).map(({ type, name, count }) => [
        name ? `${type}/${name}` : type,
        count,
      ]),
    ),
  }));
}
