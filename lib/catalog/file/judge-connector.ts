import { dropNoise, roundUp } from '#lib/time/round-up.ts';
import { compilePattern, repeatsGroup } from '../compile-pattern.ts';
import type { StageMeaning, SystemKind } from '../kinds/system-kind.ts';
import { findKind } from '../kinds/system-kinds.ts';
import type { SystemDraft } from './draft.ts';
import type { Problem } from './parse-json.ts';

/** Finds what does not fit the kind of the system. An unknown kind is the schema's to report. */
export function judgeConnector(system: SystemDraft): Problem[] {
  const { connector, program, extraFields, runsAs = 'service', accountClaim } = system;
  const { kind: name = '' } = connector.texts;
  const kind = findKind(name);
  if (!kind) return [];
  const fields = extraFields.flatMap((field) => field.name ?? []);
  const context = { runsAs, program: program.field, fields };
  const settings = kind.judgeSettings?.(connector, context) ?? [];
  return [
    ...judgeLimits(system, name, kind),
    ...judgeResults(system, name),
    ...judgeRuntime(system, name, kind),
    ...settings.map(({ setting, text }) => ({ path: ['connector', setting], text })),
    ...judgeProgram(system, name, kind),
    ...judgeStages(system, name, kind),
    ...judgeRunsAs(runsAs, name, kind),
    ...judgeClaim(runsAs, accountClaim),
  ];
}

/** What a storage takes in one request. Only the files of this machine stay where they are. */
const mostSent = 5_000_000_000;

function judgeResults({ maxResultsBytes = 0 }: SystemDraft, kind: string): Problem[] {
  if (maxResultsBytes <= mostSent || kind === 'machine') return [];
  const reason = 'because a job sends its results in one piece';
  const text = `is ${maxResultsBytes}; with the connector ${kind} it must be at most ${mostSent}, ${reason}`;
  return [{ path: ['maxResultsBytes'], text }];
}

function judgeLimits({ limits }: SystemDraft, name: string, kind: SystemKind): Problem[] {
  return (['nodes', 'coresPerNode'] as const).flatMap((limit) => {
    const [wanted = 0, most = wanted] = [limits[limit], kind.limits?.[limit]];
    if (wanted <= most) return [];
    const text = `is ${wanted}; with the connector ${name} it must be at most ${most}`;
    return [{ path: ['limits', limit], text }];
  });
}

/** With less than the unit, no job of the system could be granted any time. */
function judgeRuntime(
  { grantableRuntime: hours }: SystemDraft,
  name: string,
  { runtimeUnitSeconds: unit }: SystemKind,
): Problem[] {
  if (hours === undefined || hours <= 0 || dropNoise(hours * 3600) >= unit) return [];
  const least = roundUp((unit / 3600) * 10_000) / 10_000;
  const text = `is ${hours}; with the connector ${name} it must be at least ${unit} seconds, which is ${least} hours`;
  return [{ path: ['grantableRuntime'], text }];
}

function judgeProgram({ program }: SystemDraft, name: string, kind: SystemKind): Problem[] {
  if (program.field === undefined || program.field === (kind.program ?? program.field)) return [];
  const text = `is "${program.field}"; with the connector ${name} it must be "${kind.program}"`;
  return [{ path: ['program', 'field'], text }];
}

const meaningsOf = {
  living: ['waiting', 'starting', 'running', 'finishing'],
  succeeded: ['done'],
  failed: ['failed'],
} as const satisfies Record<string, readonly StageMeaning[]>;

/** Returns the words with one of these meanings. */
function findWords(kind: SystemKind, meanings: readonly StageMeaning[]): string[] {
  return Object.entries(kind.stages).flatMap(([word, meaning]) =>
    meanings.includes(meaning) ? [word] : [],
  );
}

/** A word that the connector reports but the catalog does not list would surprise every client. */
function judgeStages({ stages }: SystemDraft, name: string, kind: SystemKind): Problem[] {
  const [running] = findWords(kind, ['running']);
  const isOther = stages.running !== undefined && stages.running !== (running ?? stages.running);
  const text = `is "${stages.running}"; with the connector ${name} it must be "${running}"`;
  return [
    ...(isOther ? [{ path: ['stages', 'running'], text }] : []),
    ...(['living', 'succeeded', 'failed'] as const).flatMap((list) => {
      const missing = findWords(kind, meaningsOf[list]).filter(
        (word) => !stages[list].includes(word),
      );
      if (missing.length === 0) return [];
      const what = `has no ${missing.join(', ')}, which the connector ${name} reports`;
      return [{ path: ['stages', list], text: what }];
    }),
  ];
}

function judgeClaim(runsAs: string, claim: SystemDraft['accountClaim']): Problem[] {
  if (claim === undefined) return [];
  if (runsAs !== 'mapped') {
    const text = 'is there, but jobs run as the service; add "runsAs": "mapped", or leave it out';
    return [{ path: ['accountClaim'], text }];
  }
  const { pattern } = claim;
  const fault = pattern === undefined ? undefined : judgePattern(pattern);
  if (fault === undefined) return [];
  return [{ path: ['accountClaim', 'pattern'], text: `is "${pattern}", ${fault}` }];
}

function judgePattern(pattern: string): string | undefined {
  if (!compilePattern(pattern)) return 'which is not a regular expression';
  return repeatsGroup(pattern)
    ? 'which repeats a group, so that some claims would take for ever; repeat a set of characters instead, such as [a-z.]+'
    : undefined;
}

function judgeRunsAs(runsAs: string, name: string, kind: SystemKind): Problem[] {
  if (runsAs !== 'mapped' || kind.runsAs.includes(runsAs)) return [];
  return [
    { path: ['runsAs'], text: `is "mapped"; with the connector ${name} it must be "service"` },
  ];
}
