import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type {
  DescribeJobQueuesCommandInput,
  DescribeJobsCommandInput,
  ListJobsCommandInput,
  SubmitJobCommandInput,
  TerminateJobCommandInput,
} from '@aws-sdk/client-batch';

/** The inputs of the operations that the imitation has. */
export interface Inputs {
  readonly SubmitJob: SubmitJobCommandInput;
  readonly DescribeJobs: DescribeJobsCommandInput;
  readonly ListJobs: ListJobsCommandInput;
  readonly TerminateJob: TerminateJobCommandInput;
  readonly DescribeJobQueues: DescribeJobQueuesCommandInput;
}

/** A request that does not fit AWS's own model. */
export class MisfitError extends Error {
  override readonly name = 'MisfitError';
}

/** A shape as AWS writes it: text unless it has a type, or a reference to another one. */
interface Shape {
  readonly shape?: string;
  readonly type?: 'structure' | 'list' | 'map' | 'integer' | 'long' | 'boolean';
  readonly required?: readonly string[];
  readonly members?: Readonly<Record<string, Shape>>;
  readonly member?: Shape;
  readonly value?: Shape;
}

interface Operation {
  readonly http: { readonly requestUri: string };
  readonly input: Shape;
  readonly output: Shape;
}

interface Model {
  readonly operations: Readonly<Record<string, Operation>>;
  readonly shapes: Readonly<Record<string, Shape>>;
}

const model: Model = JSON.parse(readFileSync(join(import.meta.dirname, 'batch-api.json'), 'utf8'));

/** The names of operations by their paths. */
export const operationsByPath: ReadonlyMap<string, string> = new Map(
  Object.entries(model.operations).map(([name, { http }]) => [http.requestUri, name]),
);

/** Throws unless a request fits AWS's own model, which the types of the SDK are made from. */
export function assertInput<Name extends keyof Inputs>(
  operation: Name,
  input: unknown,
): asserts input is Inputs[Name] {
  const misfits = findMisfits(operation, 'input', input);
  if (misfits.length > 0) throw new MisfitError(misfits.join('; '));
}

/** Lists where a request or an answer does not fit AWS's own model. */
export function findMisfits(
  operation: string,
  direction: 'input' | 'output',
  value: unknown,
): string[] {
  const shape = model.operations[operation]?.[direction];
  return shape ? check(shape, value, operation) : [`${operation} is not in the model`];
}

function check(named: Shape, value: unknown, path: string): string[] {
  const shape = named.shape === undefined ? named : (model.shapes[named.shape] ?? {});
  switch (shape.type) {
    case 'structure':
      return checkStructure(shape, value, path);
    case 'list':
      if (!Array.isArray(value)) return [`${path} is not a list`];
      return value.flatMap((each, at) => check(shape.member ?? {}, each, `${path}[${at}]`));
    case 'map':
      if (!isRecord(value)) return [`${path} is not a map`];
      return Object.entries(value).flatMap(([key, each]) =>
        check(shape.value ?? {}, each, `${path}.${key}`),
      );
    case 'integer':
    case 'long':
      return Number.isInteger(value) ? [] : [`${path} is not a whole number`];
    case 'boolean':
      return typeof value === 'boolean' ? [] : [`${path} is not true or false`];
    default:
      return typeof value === 'string' ? [] : [`${path} is not text`];
  }
}

function checkStructure(
  { members = {}, required = [] }: Shape,
  value: unknown,
  path: string,
): string[] {
  if (!isRecord(value)) return [`${path} is not a structure`];
  const missing = required.filter((name) => value[name] === undefined);
  return [
    ...missing.map((name) => `${path}.${name} is missing`),
    ...Object.entries(value).flatMap(([name, each]) => {
      if (each === undefined) return [];
      const member = members[name];
      return member ? check(member, each, `${path}.${name}`) : [`${path}.${name} is not known`];
    }),
  ];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
