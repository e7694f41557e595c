import { dropNoise, roundUp } from '#lib/time/round-up.ts';
import { runtimeUnits } from '../grant-runtime.ts';
import type { SystemDraft } from './draft.ts';
import type { Problem } from './problem.ts';

interface Demands {
  readonly field: 'command' | 'tool';
  readonly running: string;
  readonly living: readonly string[];
  readonly succeeded: readonly string[];
  readonly failed: readonly string[];
}

/**
 * What a connector says of jobs, in its own words (lib/hpc): a catalog without one of them would
 * show stages that it does not list. A simulator takes its words from the catalog.
 */
export const connectorDemands: Readonly<Record<string, Demands>> = {
  slurm: {
    field: 'command',
    running: 'RUNNING',
    living: ['QUEUED', 'RUNNING', 'STAGINGOUT'],
    succeeded: ['SUCCESSFUL'],
    failed: ['FAILED'],
  },
  unicore: {
    field: 'command',
    running: 'RUNNING',
    living: ['READY', 'STAGINGIN', 'QUEUED', 'RUNNING', 'STAGINGOUT'],
    succeeded: ['SUCCESSFUL'],
    failed: ['FAILED'],
  },
  nsg: {
    field: 'tool',
    running: 'SUBMITTED',
    living: ['QUEUE', 'COMMANDRENDERING', 'INPUTSTAGING', 'SUBMITTED', 'LOAD_RESULTS'],
    succeeded: ['COMPLETED'],
    failed: [],
  },
};

export function judgeConnector(system: SystemDraft): Problem[] {
  const { connector, program, stages } = system;
  const { kind = '' } = connector;
  const demands = Object.hasOwn(connectorDemands, kind) ? connectorDemands[kind] : undefined;
  if (!demands) return judgeRuntime(system);
  return [
    ...judgeRuntime(system),
    ...judgeBaseUrl(connector),
    ...refuse(
      program.field !== undefined && program.field !== demands.field,
      ['program', 'field'],
      `is "${program.field}"; with the connector ${kind} it must be "${demands.field}"`,
    ),
    ...refuse(
      stages.running !== undefined && stages.running !== demands.running,
      ['stages', 'running'],
      `is "${stages.running}"; with the connector ${kind} it must be "${demands.running}"`,
    ),
    ...(['living', 'succeeded', 'failed'] as const).flatMap((list) => {
      const missing = demands[list].filter((word) => !stages[list].includes(word));
      return refuse(
        missing.length > 0,
        ['stages', list],
        `has no ${missing.join(', ')}, which the connector ${kind} reports`,
      );
    }),
  ];
}

/** With less than its connector's unit, no job of the system could be granted any time. */
function judgeRuntime({ connector: { kind = '' }, grantableRuntime: hours }: SystemDraft) {
  const unit = new Map(Object.entries(runtimeUnits)).get(kind);
  if (unit === undefined || hours === undefined || hours <= 0) return [];
  return refuse(
    dropNoise(hours * 3600) < unit,
    ['grantableRuntime'],
    `is ${hours}; with the connector ${kind} it must be at least ${unit} seconds, which is ${roundUp((unit / 3600) * 10_000) / 10_000} hours`,
  );
}

/** A path of one version below that of another would be called, which answers 404 to everything. */
function judgeBaseUrl({ kind, baseUrl = '' }: SystemDraft['connector']): Problem[] {
  const [versioned] = /\/(?:slurm(?:db)?\/)?v0\.0\.\d+\/?.*$/.exec(baseUrl) ?? [];
  return refuse(
    kind === 'slurm' && versioned !== undefined,
    ['connector', 'baseUrl'],
    `has a version in it (${versioned}); write "${baseUrl.replace(versioned ?? '', '')}", Slipway finds the version by itself`,
  );
}

function refuse(isWrong: boolean, path: Problem['path'], text: string): Problem[] {
  return isWrong ? [{ path, text }] : [];
}
