import type { Declaration } from '#infra/settings/declarations.ts';
import type {
  EventsInput,
  FilesInput,
  IdentityInput,
  PagingInput,
  SecretsInput,
  TableInput,
} from '#lib/config.ts';
import type { FileUse } from '#lib/files/file-use.ts';

/**
 * The groups of variables of lib/config.ts. They are typed from the schemas that the functions
 * parse their environment with: a variable that a schema requires and a stack forgets does not
 * compile.
 */
export interface Settings {
  readonly table: TableInput;
  readonly files: FilesInput;
  readonly events: EventsInput;
  readonly identity: IdentityInput;
  readonly paging: PagingInput;
  readonly secrets: SecretsInput;
}

/** A function gets the groups that its declaration asks for, and no others. */
export function composeEnvironment(
  { identity, tableUses, files, pages, secrets, publishes }: Declaration,
  settings: Settings,
): Record<string, string> {
  return dropUndefined({
    ...(identity && settings.identity),
    ...(tableUses.length > 0 && settings.table),
    ...(usesFiles(files) && settings.files),
    ...(publishes && settings.events),
    ...(pages && settings.paging),
    ...(secrets && settings.secrets),
  });
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
