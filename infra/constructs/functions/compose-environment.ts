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

/** What every function has. */
export function commonVariables(service: string): Record<string, string> {
  return { POWERTOOLS_SERVICE_NAME: service };
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
