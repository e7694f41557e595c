import * as v from 'valibot';
import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import { readFields } from '../read-fields.ts';
import { decodeHeader } from './decode-header.ts';
import { hoursFrom, name, text, wholeNumber } from './payload-fields.ts';

/** The token shares the 10,240 bytes that a gateway takes for all headers. */
const maxPayloadLength = 8192;
const maxTitleLength = 200;
/** Less is no time at all, and soon no number that the table can hold. */
const minHours = 1e-6;

/** What the `Payload` header asks for (interface 4.2). */
const Payload = v.object({
  program: v.string(),
  nodes: v.number(),
  coresPerNode: v.number(),
  requestedRuntime: v.number(),
  title: v.string(),
  extras: v.record(v.string(), v.string()),
});

/** The fields that a system knows, by their names there. */
const payloadFields = ({ program, limits, extraFields }: HpcSystem) =>
  v.pipe(
    v.object({
      [program.field]: (program.form === 'name' ? name : text)(program.maxLength),
      node_number: wholeNumber(limits.nodes),
      core_number: wholeNumber(limits.coresPerNode),
      runtime: hoursFrom(minHours),
      title: v.optional(text(maxTitleLength, 0), ''),
      ...Object.fromEntries(
        extraFields.map((field) => [field.name, v.optional(text(field.maxLength))]),
      ),
    }),
    v.transform((fields) => ({
      program: fields[program.field],
      nodes: fields.node_number,
      coresPerNode: fields.core_number,
      requestedRuntime: fields.runtime,
      title: fields.title,
      extras: Object.fromEntries(
        extraFields.flatMap((field) =>
          field.name in fields ? [[field.name, fields[field.name]]] : [],
        ),
      ),
    })),
    Payload,
  );

/** The header: JSON with the fields of its system. */
export function payload(system: HpcSystem) {
  const schema = payloadFields(system);
  return v.pipe(
    v.optional(v.string(), ''),
    v.check(
      (header) => header.trim() !== '',
      'This header is required: a JSON object that describes the job.',
    ),
    v.check(
      (header) => header.length <= maxPayloadLength,
      ({ input }) =>
        `It has ${input.length} characters, but at most ${maxPayloadLength} are allowed.`,
    ),
    v.transform(decodeHeader),
    v.parseJson(undefined, 'It is not valid JSON.'),
    v.custom<object>(isObject, 'It must be a JSON object.'),
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      const fields = dataset.value;
      const reading = readFields(schema, fields, {
        location: 'payload',
        explainUnknown: (known) =>
          `Unknown field on ${system.name}. Known fields: ${known.join(', ')}.`,
      });
      if ('output' in reading) return reading.output;
      for (const { name: key, message } of reading.problems) {
        const at = {
          type: 'unknown',
          origin: 'value',
          input: fields,
          key,
          value: undefined,
        } as const;
        addIssue({ message, path: [at] });
      }
      return NEVER;
    }),
  );
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
