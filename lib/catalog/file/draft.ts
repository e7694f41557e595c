import * as v from 'valibot';
import type { SettingsDraft } from '../kinds/system-kind.ts';

/**
 * A catalog as far as it can be read, with undefined for the rest. So every rule is checked and
 * every mistake reported, however wrong the rest of the file is.
 */
const text = readable(v.string());
const number = readable(v.number());
const texts = list(text);

const StagesDraft = part({
  first: text,
  running: text,
  living: texts,
  succeeded: texts,
  failed: texts,
});

const WeightsDraft = part({ per: part({ core: number, gpu: number, memoryGb: number }) });

const ClassDraft = part({
  name: text,
  limits: part({
    nodes: number,
    coresPerNode: number,
    memoryPerNode: number,
    gpusPerNode: number,
    runtime: number,
  }),
  charging: v.fallback(v.optional(WeightsDraft), undefined),
  partition: text,
  qos: text,
  account: text,
  coresAs: text,
  setup: readable(v.unknown()),
  queue: text,
  price: readable(v.unknown()),
});

const SystemDraft = part({
  name: text,
  maintenance: list(part({ from: text, until: text })),
  projects: list(part({ number, name: text })),
  program: part({ field: text, maxLength: number }),
  extraFields: list(part({ name: text })),
  limits: part({ nodes: number, coresPerNode: number }),
  memoryPerNode: number,
  gpusPerNode: number,
  gpuKinds: texts,
  classes: list(ClassDraft),
  datasets: list(part({ name: text, path: text })),
  containers: v.fallback(v.optional(part({ runtime: text })), undefined),
  keep: v.fallback(v.optional(part({ path: text, projects: texts })), undefined),
  inputs: v.fallback(
    v.optional(part({ paidBy: text, maxBytes: number, fetchedBy: text })),
    undefined,
  ),
  outputs: readable(v.unknown()),
  charging: v.fallback(v.union([v.string(), WeightsDraft]), ''),
  grantableRuntime: number,
  maxResultsBytes: number,
  jobId: part({ form: text, prefix: text }),
  stages: StagesDraft,
  connector: v.fallback(
    v.pipe(v.record(v.string(), v.unknown()), v.transform(sortSettings)),
    sortSettings({}),
  ),
  runsAs: text,
  accountClaim: v.fallback(v.optional(part({ pattern: text })), undefined),
  welcomeQuota: part({ renews: part({ every: text, month: number }) }),
});

const CatalogDraft = part({ systems: list(SystemDraft) });

export type ClassDraft = v.InferOutput<typeof ClassDraft>;
export type SystemDraft = v.InferOutput<typeof SystemDraft>;
export type CatalogDraft = v.InferOutput<typeof CatalogDraft>;

export function readDraft(value: unknown): CatalogDraft {
  return v.parse(CatalogDraft, value);
}

function sortSettings(settings: Readonly<Record<string, unknown>>): SettingsDraft {
  return {
    names: Object.keys(settings),
    texts: pick(settings, v.string()),
    flags: pick(settings, v.boolean()),
    lists: pick(settings, v.array(v.string())),
    tables: pick(settings, v.record(v.string(), v.string())),
  };
}

/** Returns the settings that this schema accepts. */
function pick<const S extends v.GenericSchema>(
  settings: Readonly<Record<string, unknown>>,
  schema: S,
): Record<string, v.InferOutput<S>> {
  return Object.fromEntries(
    Object.entries(settings).flatMap(([name, value]) => {
      const read = v.safeParse(schema, value);
      return read.success ? [[name, read.output]] : [];
    }),
  );
}

function readable<const S extends v.GenericSchema>(schema: S) {
  return v.fallback(v.optional(schema), undefined);
}

function list<const S extends v.GenericSchema>(each: S) {
  return v.fallback(v.optional(v.array(each), []), []);
}

function part<const Entries extends v.ObjectEntries>(entries: Entries) {
  const schema = v.object(entries);
  return v.fallback(schema, () => v.parse(schema, {}));
}
