import * as v from 'valibot';

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

const SystemDraft = part({
  name: text,
  projects: list(part({ number, name: text })),
  program: part({ field: text, maxLength: number }),
  extraFields: list(part({ name: text })),
  grantableRuntime: number,
  jobId: part({ form: text, prefix: text }),
  stages: StagesDraft,
  connector: v.fallback(v.record(v.string(), text), {}),
  runsAs: text,
  welcomeQuota: part({ renews: part({ every: text, month: number }) }),
});

const CatalogDraft = part({ systems: list(SystemDraft) });

export type SystemDraft = v.InferOutput<typeof SystemDraft>;
export type CatalogDraft = v.InferOutput<typeof CatalogDraft>;

export function readDraft(value: unknown): CatalogDraft {
  return v.parse(CatalogDraft, value);
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
