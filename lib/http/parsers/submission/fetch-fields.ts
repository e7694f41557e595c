import * as v from 'valibot';
import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import { type AddressedInput, judgeInputs, mostInputs } from '#lib/catalog/input-addresses.ts';

const form = 'It must be a list of { "from": "https://...", "to": "data/a.nc", "sha256": "..." }.';

/** Unknown members are refused, or a misspelt checksum would never be checked. */
const files = v.pipe(
  v.array(
    v.strictObject(
      { from: v.string(form), to: v.string(form), sha256: v.exactOptional(v.string(form)) },
      form,
    ),
    form,
  ),
  v.maxLength(
    mostInputs,
    ({ input }) => `It names ${input.length}, but at most ${mostInputs} are allowed.`,
  ),
);

/** The field of a payload for files that the job fetches, on systems that allow hosts for it. */
export function fetchFields({ inputs }: HpcSystem): v.ObjectEntries {
  return inputs ? { inputs: v.optional(files) } : {};
}

const ReadFiles = v.object({ inputs: v.optional(files, []) });

/** Leaves the member out of payloads that fetch nothing. */
export function nameFetches(fields: object): { fetches?: readonly AddressedInput[] } {
  const { inputs } = v.parse(ReadFiles, fields);
  return inputs.length > 0 ? { fetches: inputs } : {};
}

/** Judges the files of a single job. Those of a batch may have marks for values. */
export function judgeFetches(system: HpcSystem, fields: object) {
  return judgeInputs(system, nameFetches(fields).fetches ?? []);
}
