import type { HpcSystem, Project } from '#lib/catalog/hpc-system.ts';
import { sendsResults } from '#lib/catalog/sends-results.ts';
import { ConnectorEnvironment, readEnvironment } from '#lib/config.ts';
import { openFolder } from '#lib/files/folders/open-folder.ts';
import { openGuardedConnectors, readConnectorOptions } from '#lib/hpc/open/open-connector.ts';
import type { Caller } from '#lib/http/chain/api-context.ts';
import { estimateLogin } from '#lib/users/logins/login-store.ts';
import { jobFiles } from './job-files.ts';
import { table } from './table.ts';

const options = readConnectorOptions(readEnvironment(ConnectorEnvironment));

export const connect = openGuardedConnectors(table, options);

/** The caller, as one who visits the folder of a project. */
export function visitorOf({ userId: user, administrator, groups = [] }: Caller) {
  return { user, administrator, groups };
}

/** Opens the folder of a project for a caller who may see it, with the caller's own account. */
export async function openFolderFor(
  { userId: owner, claims }: Caller,
  {
    hpc: system,
    project_name: project,
  }: { readonly hpc: HpcSystem; readonly project_name: Project },
) {
  // What jobs told is shown to whoever may see it, with or without an account of theirs.
  const login = sendsResults(system)
    ? undefined
    : await estimateLogin(table, { owner, system, claims });
  const place = { project: project.name, owner, login };
  const stores = { table, results: jobFiles.results, connect: () => connect(system) };
  return openFolder(system, place, stores);
}
