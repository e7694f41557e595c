import { dropNoise } from '#lib/time/round-up.ts';
import { mostServiceBytes } from '../input-addresses.ts';
import { classSettings, type SystemKind } from '../kinds/system-kind.ts';
import { findKind } from '../kinds/system-kinds.ts';
import type { ClassDraft, SystemDraft } from './draft.ts';
import type { Path, Problem } from './parse-json.ts';

/** Finds memory, GPUs, classes and weights that fit neither each other nor the kind of the system. */
export function judgeResources(system: SystemDraft): Problem[] {
  const { connector, charging, classes, gpuKinds, gpusPerNode } = system;
  const { kind: name = '' } = connector.texts;
  const kind = findKind(name);
  return [
    ...(kind ? judgeOffers(system, name, kind) : []),
    ...(kind ? judgeFetching(system, name, kind) : []),
    ...(gpuKinds.length > 0 && gpusPerNode === undefined
      ? [{ path: ['gpuKinds'], text: 'is there without gpusPerNode; say how many a node has' }]
      : []),
    ...(typeof charging === 'string' ? [] : judgeWeights(charging, system, ['charging'])),
    ...classes.flatMap((each, at) =>
      judgeClass(each, system, { name, kind }).map(({ path, text }) => ({
        path: ['classes', at, ...path],
        text,
      })),
    ),
  ];
}

function judgeOffers(system: SystemDraft, name: string, kind: SystemKind): Problem[] {
  const { memoryPerNode, gpusPerNode, classes, datasets, keep, outputs } = system;
  const isThere = {
    memoryPerNode: memoryPerNode !== undefined,
    gpusPerNode: gpusPerNode !== undefined,
    classes: classes.length > 0,
    datasets: datasets.length > 0,
    keep: keep !== undefined,
    outputs: outputs !== undefined,
  };
  const most = kind.mostMemory ?? Number.POSITIVE_INFINITY;
  return [
    ...(['memoryPerNode', 'gpusPerNode', 'classes', 'datasets', 'keep', 'outputs'] as const)
      .filter((each) => isThere[each] && !(kind.offers ?? []).includes(each))
      .map((each) => ({
        path: [each],
        text: `is there, but the connector ${name} cannot hand it on; leave it out`,
      })),
    ...((memoryPerNode ?? 0) > most
      ? [
          {
            path: ['memoryPerNode'],
            text: `is ${memoryPerNode}; with the connector ${name} it must be at most ${most}`,
          },
        ]
      : []),
  ];
}

/** Nothing that is said of a fetching job holds where the service fetches. */
function judgeFetching(
  { inputs = {} }: SystemDraft,
  name: string,
  { serviceFetches = false }: SystemKind,
): Problem[] {
  const { fetchedBy, paidBy, maxBytes = 0 } = inputs;
  const byService = serviceFetches || fetchedBy === 'service';
  const problems = {
    fetchedBy:
      serviceFetches &&
      fetchedBy === 'job' &&
      `is "job"; with the connector ${name} it must be "service"`,
    paidBy:
      byService &&
      paidBy === 'user' &&
      'is "user", but no job runs while the service fetches; leave it out',
    maxBytes:
      byService &&
      maxBytes > mostServiceBytes &&
      `is ${maxBytes}; where the service fetches it must be at most ${mostServiceBytes}`,
  };
  return Object.entries(problems).flatMap(([setting, text]) =>
    text === false ? [] : [{ path: ['inputs', setting], text }],
  );
}

type WeightsDraft = Exclude<SystemDraft['charging'], string>;

function judgeWeights({ per }: WeightsDraft, system: SystemDraft, path: Path): Problem[] {
  const needs = [
    { weight: 'memoryGb', amount: per.memoryGb, needed: 'memoryPerNode' },
    { weight: 'gpu', amount: per.gpu, needed: 'gpusPerNode' },
  ] as const;
  const all = [per.core, per.gpu, per.memoryGb];
  return [
    ...needs
      .filter(({ amount = 0, needed }) => amount > 0 && system[needed] === undefined)
      .map(({ weight, needed }) => ({
        path: [...path, 'per', weight],
        text: `is there without ${needed}; say what a node has`,
      })),
    ...(all.every((amount = 0) => amount === 0)
      ? [{ path: [...path, 'per'], text: 'has no weight above 0; name core, gpu or memoryGb' }]
      : []),
  ];
}

interface KindInUse {
  readonly name: string;
  readonly kind: SystemKind | undefined;
}

function judgeClass(each: ClassDraft, system: SystemDraft, { name, kind }: KindInUse): Problem[] {
  const foreign = classSettings.filter(
    (setting) => each[setting] !== undefined && !(kind?.classSettings ?? []).includes(setting),
  );
  return [
    ...(kind ? foreign : []).map((setting) => ({
      path: [setting],
      text: `is there, but the connector ${name} does not know it; leave it out`,
    })),
    ...judgeLimits(each, system, kind),
    ...(each.charging ? judgeClassWeights(each.charging, system) : []),
  ];
}

function judgeClassWeights(charging: WeightsDraft, system: SystemDraft): Problem[] {
  if (typeof system.charging !== 'string') return judgeWeights(charging, system, ['charging']);
  const text = `is there, but the system charges by "${system.charging}"; give the system weights, or use chargingFactor`;
  return [{ path: ['charging'], text }];
}

/** A class may offer less than its system, never more, so that the limits of the system hold. */
function judgeLimits(
  { limits }: ClassDraft,
  system: SystemDraft,
  kind: SystemKind | undefined,
): Problem[] {
  const most = {
    nodes: system.limits.nodes,
    coresPerNode: system.limits.coresPerNode,
    memoryPerNode: system.memoryPerNode ?? 0,
    gpusPerNode: system.gpusPerNode ?? 0,
    runtime: system.grantableRuntime,
  };
  const names = ['nodes', 'coresPerNode', 'memoryPerNode', 'gpusPerNode', 'runtime'] as const;
  const { runtime } = limits;
  const unit = kind?.runtimeUnitSeconds ?? 0;
  return [
    ...names.flatMap((limit) => {
      const [wanted = 0, bound = wanted] = [limits[limit], most[limit]];
      if (wanted <= bound) return [];
      const text = `is ${wanted}, but the system offers ${bound}; a class cannot offer more`;
      return [{ path: ['limits', limit], text }];
    }),
    ...(runtime !== undefined && dropNoise(runtime * 3600) < unit
      ? [
          {
            path: ['limits', 'runtime'],
            text: `is ${runtime}; it must be at least ${unit} seconds`,
          },
        ]
      : []),
  ];
}
