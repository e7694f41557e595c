import * as v from 'valibot';
import { isBucketAddress } from '#lib/catalog/bucket-addresses.ts';
import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import { type AddressedInput, judgeInputs, mostInputs } from '#lib/catalog/input-addresses.ts';
import { type AddressedOutput, judgeOutputs, mostOutputs } from '#lib/catalog/output-addresses.ts';
import { readBucketCredentials } from '#lib/config.ts';

const inputForm =
  'It must be a list of { "from": "https://...", "to": "data/a.nc", "sha256": "..." }.';
const outputForm = 'It must be a list of { "files": "results/*.nc", "to": "s3://bucket/folder/" }.';

const tooMany = (most: number) => (issue: { readonly input: readonly unknown[] }) =>
  `It names ${issue.input.length}, but at most ${most} are allowed.`;

/** Unknown members are refused, or a misspelt checksum would never be checked. */
const inputs = v.pipe(
  v.array(
    v.strictObject(
      {
        from: v.string(inputForm),
        to: v.string(inputForm),
        sha256: v.exactOptional(v.string(inputForm)),
      },
      inputForm,
    ),
    inputForm,
  ),
  v.maxLength(mostInputs, tooMany(mostInputs)),
);

const outputs = v.pipe(
  v.array(
    v.strictObject({ files: v.string(outputForm), to: v.string(outputForm) }, outputForm),
    outputForm,
  ),
  v.maxLength(mostOutputs, tooMany(mostOutputs)),
);

/** The fields of a payload for files that the job fetches or sends, as far as the system allows it. */
export function addressFields(system: HpcSystem): v.ObjectEntries {
  return {
    ...(system.inputs && { inputs: v.optional(inputs) }),
    ...(system.outputs && { outputs: v.optional(outputs) }),
  };
}

const ReadFiles = v.object({ inputs: v.optional(inputs, []), outputs: v.optional(outputs, []) });

interface Addressed {
  readonly fetches?: readonly AddressedInput[];
  readonly sends?: readonly AddressedOutput[];
}

/** Leaves out of a payload what it does not fetch or send. */
export function nameAddresses(fields: object): Addressed {
  const { inputs: fetches, outputs: sends } = v.parse(ReadFiles, fields);
  return { ...(fetches.length > 0 && { fetches }), ...(sends.length > 0 && { sends }) };
}

/** Judges the files of a single job. Those of a batch may have marks for values. */
export function judgeAddresses(system: HpcSystem, fields: object) {
  const { fetches = [], sends = [] } = nameAddresses(fields);
  return [...judgeInputs(system, fetches), ...judgeOutputs(system, sends)];
}

/** A service on a laptop has credentials for buckets only if its operator gave it some. */
export function judgeCredentials(fields: object) {
  if (readBucketCredentials()) return [];
  const { fetches = [], sends = [] } = nameAddresses(fields);
  const places = [
    ...fetches.map(({ from }, at) => [from, `inputs.${at}.from`] as const),
    ...sends.map(({ to }, at) => [to, `outputs.${at}.to`] as const),
  ];
  return places
    .filter(([address]) => isBucketAddress(address))
    .map(([, field]) => ({ field, message: noCredentials }));
}

const noCredentials =
  'This service has no credentials for buckets. Its operator sets BUCKETS_ACCESS_KEY_ID and BUCKETS_SECRET_ACCESS_KEY.';
