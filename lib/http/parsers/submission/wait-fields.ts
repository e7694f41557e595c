import * as v from 'valibot';
import { isBatchId, isJobId } from '#lib/catalog/identifiers.ts';
import { type AwaitedId, listConditions, mostAwaited, type Waits } from '#lib/jobs/chains/waits.ts';
import { isPlainName } from '../fields.ts';

const maxFolderLength = 100;

/** Ids as a JSON array, or as text with commas or spaces between them. */
const jobIds = v.pipe(
  v.unknown(),
  v.transform((value) =>
    typeof value === 'string' ? value.split(/[\s,]+/).filter((id) => id !== '') : value,
  ),
  v.array(
    v.custom<AwaitedId>(isJobId, 'Each must be the id of a job or batch.'),
    'It must be a list of ids, or text with commas between them.',
  ),
);

const folder = v.config(
  v.pipe(
    v.string('It must be text.'),
    v.trim(),
    v.minLength(1, 'It must not be empty.'),
    v.maxLength(maxFolderLength, `It must have at most ${maxFolderLength} characters.`),
    v.check(isPlainName, 'It must be the name of one folder, without a path.'),
  ),
  { abortPipeEarly: true },
);

/** The fields of a payload that say what a job waits for. They are the same on every system. */
export const waitFields = {
  after: v.optional(jobIds, []),
  after_any: v.optional(jobIds, []),
  input_from: v.optional(v.custom<AwaitedId>(isJobId, 'It must be the id of a job or batch.')),
  input_folder: v.optional(folder),
  input_failed: v.optional(v.picklist(['refuse', 'leave_out'], 'It must be refuse or leave_out.')),
};

/** The fields once they are read. */
type WaitFields = v.InferOutput<v.ObjectSchema<typeof waitFields, undefined>>;

/** Returns undefined for a job that waits for nothing. */
function readWaits(fields: WaitFields): Waits | undefined {
  const { after, after_any: afterAny, input_from: from, input_folder: folder } = fields;
  if (from === undefined && after.length + afterAny.length === 0) return undefined;
  const leavesOutFailed = fields.input_failed === 'leave_out' && { leavesOutFailed: true as const };
  return {
    after,
    afterAny,
    ...(from !== undefined && { input: { from, folder, ...leavesOutFailed } }),
  };
}

/** Leaves the member out of payloads that wait for nothing. */
export function nameWaits(fields: WaitFields): { waits?: Waits } {
  const waits = readWaits(fields);
  return waits ? { waits } : {};
}

/** Returns what is wrong with fields that are right on their own. */
export function judgeWaits(fields: WaitFields): { field: string; message: string } | undefined {
  const { after, input_from: from, input_folder: named, input_failed: failed } = fields;
  if (from === undefined && (named ?? failed) !== undefined) {
    const field = named === undefined ? 'input_failed' : 'input_folder';
    return { field, message: 'It needs input_from, which says whose results.' };
  }
  if (failed === 'leave_out' && !isBatchId(from)) {
    return { field: 'input_failed', message: 'leave_out needs a batch in input_from.' };
  }
  const waits = readWaits(fields);
  const count = waits ? listConditions(waits).length : 0;
  if (count <= mostAwaited) return undefined;
  const field = after.length > 0 ? 'after' : 'after_any';
  const message = `The job would wait for ${count} others, but at most ${mostAwaited} are allowed.`;
  return { field, message };
}
