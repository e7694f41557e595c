import * as v from 'valibot';
import { ContextError } from '#infra/settings/config.ts';
import type {
  CallerInput,
  EventsInput,
  FilesInput,
  HandOverInput,
  IdentityInput,
  PagingInput,
  PassInput,
  SecretsInput,
  TableInput,
} from '#lib/config.ts';
import type { FileUse } from '#lib/files/file-use.ts';
import type { Declaration } from './declarations.ts';

/**
 * The groups of variables of lib/config.ts. They are typed from the schemas that the functions
 * parse their environment with: a variable that a schema requires and a stack forgets does not
 * compile.
 */
export interface EnvironmentGroups {
  readonly table: TableInput;
  readonly files: FilesInput;
  readonly events: EventsInput;
  readonly identity: IdentityInput;
  readonly callers: CallerInput;
  readonly paging: PagingInput;
  readonly passes: PassInput;
  readonly handOver: HandOverInput;
  readonly secrets: SecretsInput;
}

/** A function gets the groups that its declaration asks for, and no others. */
export function composeEnvironment(
  { identity, tableUses, files, pages, passes, handsOver, secrets, publishes }: Declaration,
  groups: EnvironmentGroups,
): Record<string, string> {
  return dropUndefined({
    ...(identity && { ...groups.identity, ...groups.callers }),
    ...(tableUses.length > 0 && groups.table),
    ...(usesFiles(files) && groups.files),
    ...(publishes && groups.events),
    ...(pages && groups.paging),
    ...(passes && groups.passes),
    ...(handsOver && groups.handOver),
    ...(secrets && groups.secrets),
  });
}

/** Variables of every function. */
export function commonVariables(service: string): Record<string, string> {
  return { SERVICE_NAME: service };
}

/** Bytes of all variables of a function together, which Lambda measures as one JSON object. */
const mostBytes = 4096;

/** Advice about a variable that takes up most of the space. */
const remedies: Readonly<Record<string, string>> = {
  HPC_SECRETS:
    'It grows with every system of the catalog: serve some of the systems from another deployment.',
};

/**
 * Refuses an environment that Lambda would refuse in the middle of a deployment. What CloudFormation
 * fills in is counted as long as it can become.
 */
export function refuseTooLarge(name: string, environment: Readonly<Record<string, unknown>>): void {
  const filled = Object.entries(environment).map(
    ([variable, value]) => [variable, fillIn(value)] as const,
  );
  const bytes = Buffer.byteLength(JSON.stringify(Object.fromEntries(filled)));
  if (bytes <= mostBytes) return;
  const [[largest, text] = ['', '']] = filled.toSorted(([, a], [, b]) => b.length - a.length);
  throw new ContextError(
    `The environment of ${name} may take ${bytes} bytes, and Lambda allows ${mostBytes}. ` +
      `Most of it is ${largest} with ${Buffer.byteLength(text)} bytes. ${remedies[largest] ?? 'Give it a shorter value.'}`,
  );
}

/** Longer than any region or suffix, and than any name or secret that is made up at deployment. */
const longest = { pseudoParameter: 24, reference: 64 } as const;

function fillIn(value: unknown): string {
  if (typeof value === 'string')
    return value.replace(/\{\{resolve:.*\}\}/s, mask(longest.reference));
  const { success, output } = v.safeParse(Join, value);
  if (success) {
    const [separator, parts] = output['Fn::Join'];
    return fillIn(
      parts.map((part) => (typeof part === 'string' ? part : fillIn(part))).join(separator),
    );
  }
  return mask(v.is(PseudoParameter, value) ? longest.pseudoParameter : longest.reference);
}

const Join = v.object({ 'Fn::Join': v.tuple([v.string(), v.array(v.unknown())]) });
const PseudoParameter = v.object({ Ref: v.pipe(v.string(), v.startsWith('AWS::')) });

function mask(length: number): string {
  return '*'.repeat(length);
}

function usesFiles({ inputs = [], results = [] }: FileUse): boolean {
  return inputs.length + results.length > 0;
}

function dropUndefined(
  environment: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  );
}
