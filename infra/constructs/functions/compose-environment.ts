import * as v from 'valibot';
import { ContextError } from '#infra/settings/context-error.ts';
import type {
  BatchSystemsInput,
  BudgetInput,
  CallerInput,
  EventsInput,
  FilesInput,
  HandOverInput,
  IdentityInput,
  MailInput,
  MailLinksInput,
  PagingInput,
  PassInput,
  SecretsInput,
  SignInInput,
  TableInput,
} from '#lib/config.ts';
import type { FileUse } from '#lib/files/file-use.ts';
import type { Declaration } from './declarations.ts';

/**
 * The variable groups of lib/config.ts. Their types come from the schemas that functions parse, so
 * a missing required variable is a compile error.
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
  readonly awsBatch: BatchSystemsInput;
  readonly budget: BudgetInput;
  readonly signIn: SignInInput;
  readonly mail: MailInput;
  /** For the links in mails. Empty if the service sends none. */
  readonly mailLinks: Partial<MailLinksInput>;
}

/** Selects the groups that a function declares. */
export function composeEnvironment(
  declaration: Declaration,
  groups: EnvironmentGroups,
): Record<string, string> {
  const { identity, tableUses, files, pages, passes, handsOver } = declaration;
  const { secrets, keepsBudget, namesSignIn, publishes, tellsByMail, sendsMail } = declaration;
  return dropUndefined({
    ...(identity && { ...groups.identity, ...groups.callers }),
    ...(tableUses.length > 0 && groups.table),
    ...(usesFiles(files) && groups.files),
    ...(publishes && groups.events),
    ...(pages && groups.paging),
    ...(passes && groups.passes),
    ...(handsOver && groups.handOver),
    ...(secrets && { ...groups.secrets, ...groups.awsBatch }),
    ...(keepsBudget && groups.budget),
    ...(namesSignIn && groups.signIn),
    ...(tellsByMail && groups.mail),
    ...(sendsMail && groups.mailLinks),
  });
}

/** Variables that all functions get. */
export function commonVariables(service: string): Record<string, string> {
  return { SERVICE_NAME: service };
}

/** Lambda's limit for all variables of a function, serialized as JSON. */
const mostBytes = 4096;

/** Advice about a variable that takes up most of the space. */
const remedies: Readonly<Record<string, string>> = {
  HPC_SECRETS:
    'It grows with every system of the catalog: serve some of the systems from another deployment.',
};

/**
 * Refuses an environment that is too large for Lambda, which would otherwise fail during the
 * deployment. Values that CloudFormation fills in count with their longest possible length.
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

/** Upper bounds for regions and suffixes, and for names and secrets generated at deployment. */
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
