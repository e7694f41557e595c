import * as v from 'valibot';
import { hoursForm } from '#client/src/format/times/read-hours.ts';
import { mostJobs } from '#lib/batches/batch.ts';
import { defaultProject } from '#lib/catalog/catalog.ts';
import type { HpcSystem, Project } from '#lib/catalog/hpc-system.ts';
import { anyText, checkAt, dishonest, isHonest } from '../fields.ts';
import { decodeHeader, type FieldsSchema, readFields } from '../reading.ts';
import {
  addressFields,
  judgeAddresses,
  judgeCredentials,
  nameAddresses,
} from './address-fields.ts';
import { nameByContract } from './name-by-contract.ts';
import { firstProblem, numberLike, wholeNumber } from './numbers.ts';
import { judgeResources, nameResources, resourceFields } from './resource-fields.ts';
import { judgeWaits, nameWaits, waitFields } from './wait-fields.ts';

/** The token shares the 10,240 bytes that a gateway accepts for all headers. */
const maxPayloadLength = 8192;
const maxTitleLength = 200;
/** Shorter runtimes mean nothing, and much smaller numbers do not fit into the table. */
const minHours = 1e-6;

/** What every `Payload` header says, of a job or of a batch (interface 4.2). */
const Payload = v.object({
  program: v.string(),
  requestedRuntime: v.number(),
  title: v.string(),
  extras: v.record(v.string(), v.string()),
});

/** Parses the header: JSON with the fields of its system. */
export function payload(system: HpcSystem, project: Project = defaultProject(system)) {
  return payloadOf(system, payloadFields(system, project));
}

/** Parses the header of a batch, in whose texts `{index}` and `{column}` stand for values. */
export function batchPayload(system: HpcSystem, project: Project = defaultProject(system)) {
  return payloadOf(system, batchFields(system, project));
}

function payloadOf<S extends FieldsSchema>(
  system: HpcSystem,
  schema: S,
): v.GenericSchema<string | undefined, v.InferOutput<S>> {
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
    v.custom<object>(
      (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
      'It must be a JSON object.',
    ),
    v.rawTransform<object, v.InferOutput<S>>(({ dataset, addIssue, NEVER }) => {
      const sent = dataset.value;
      const { fields, twice, nameAsSent } = nameByContract(sent, schema.entries);
      const reading = readFields(schema, fields, {
        location: 'payload',
        explainUnknown: (known) =>
          `Unknown field on ${system.name}. Known fields: ${known.join(', ')}.`,
      });
      if ('output' in reading && twice.length === 0) return reading.output;
      const problems = 'problems' in reading ? reading.problems : [];
      for (const { name, message } of [...twice, ...problems]) {
        addIssue({ message, path: [placeOf(sent, nameAsSent(name))] });
      }
      return NEVER;
    }),
  );
}

/** Names a field of the payload in an issue. */
function placeOf(input: object, key: string) {
  return { type: 'unknown', origin: 'value', input, key, value: undefined } as const;
}

const payloadFields = (system: HpcSystem, project: Project) =>
  v.pipe(
    v.object({ ...jobFields(system, project), ...waitFields }),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return;
      const { value, issues } = dataset;
      const wrong = [
        ...(issues ? [] : judgeResources(system, project, value)),
        ...(issues ? [] : judgeAddresses(system, value)),
        ...(issues ? [] : judgeCredentials(value)),
        judgeWaits(value),
      ];
      for (const { message, field } of wrong.filter((each) => each !== undefined)) {
        addIssue({ message, path: [placeOf(value, field)] });
      }
    }),
    v.transform((fields) => ({ ...nameFields(system, project, fields), ...nameWaits(fields) })),
  );

const eitherOr =
  'Name one of the two: count, the number of jobs, or table, a CSV file in the zip with one row a job.';

const batchFields = (system: HpcSystem, project: Project) =>
  v.pipe(
    v.object({
      ...jobFields(system, project),
      count: v.optional(wholeNumber(mostJobs)),
      table: v.optional(scriptText(longestTableName)),
      max_running: v.optional(wholeNumber(mostJobs)),
    }),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed || dataset.issues) return;
      const { value } = dataset;
      const wrong = [...judgeResources(system, project, value), ...judgeCredentials(value)];
      for (const { message, field } of wrong) {
        addIssue({ message, path: [placeOf(value, field)] });
      }
    }),
    checkAt(
      'count',
      ({ count, table }) => (count === undefined) !== (table === undefined),
      eitherOr,
    ),
    v.transform((fields) => {
      const { count = 1, table, max_running: maxRunning } = fields;
      const shape = table === undefined ? { count } : { table };
      return { ...nameFields(system, project, fields), shape, maxRunning };
    }),
  );

const longestTableName = 255;

type Fields = Readonly<Record<string, unknown>>;

const jobFields = (system: HpcSystem, project: Project) => ({
  ...programFields(system),
  ...addressFields(system),
  ...resourceFields(system, project),
});

const programFields = ({ program, limits, extraFields }: HpcSystem) => ({
  [program.field]: (program.form === 'name' ? toolName : scriptText)(program.maxLength),
  node_number: wholeNumber(limits.nodes),
  core_number: wholeNumber(limits.coresPerNode),
  runtime: hoursFrom(minHours),
  title: v.optional(scriptText(maxTitleLength, 0), ''),
  ...Object.fromEntries(
    extraFields.map((field) => [field.name, v.optional(scriptText(field.maxLength))]),
  ),
});

/** Names the fields as the code does, whatever the system calls them. */
function nameFields(system: HpcSystem, project: Project, fields: Fields) {
  const { program, extraFields } = system;
  const named = v.parse(Payload, {
    program: fields[program.field],
    requestedRuntime: fields.runtime,
    title: fields.title,
    extras: Object.fromEntries(
      extraFields.flatMap((field) =>
        field.name in fields ? [[field.name, fields[field.name]]] : [],
      ),
    ),
  });
  return { ...named, ...nameAddresses(fields), ...nameResources(system, project, fields) };
}

const scriptText = (maxLength: number, minLength = 1) =>
  v.config(
    v.pipe(
      anyText,
      v.trim(),
      v.minLength(minLength, 'It must not be empty.'),
      v.check(
        (value) => [...value].length <= maxLength,
        ({ input }) =>
          `It has ${[...input].length} characters, but at most ${maxLength} are allowed.`,
      ),
      v.check((value) => isHonest(value) && !hasControlCharacters(value), dishonest),
    ),
    firstProblem,
  );

/** Allows tabs and line ends, which belong to scripts, but no other control character. */
function hasControlCharacters(value: string): boolean {
  return /[\p{Cc}--[\t\n\r]]/v.test(value);
}

const toolName = (maxLength: number) =>
  v.config(
    v.pipe(
      scriptText(maxLength),
      v.regex(/^[A-Za-z0-9_]+$/, 'It must be a name of letters, digits and underscores.'),
      v.toUpperCase(),
    ),
    firstProblem,
  );

const hoursFrom = (min: number) => {
  const message = `It must be a number of hours, at least ${min}, for example "2.0".`;
  return v.config(
    v.pipe(numberLike(hoursForm, message), v.finite(message), v.minValue(min, message)),
    firstProblem,
  );
};
