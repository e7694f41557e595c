import * as v from 'valibot';
import type { Catalog } from '#lib/catalog/catalog.ts';
import { judgeLoginName } from '#lib/users/logins/login.ts';
import { anyText, flag, rowUser } from '../fields.ts';
import { jsonBody, reason } from './json-body.ts';

/** The name of a user's own account on a system. */
const account = v.pipe(
  anyText,
  v.rawCheck(({ dataset, addIssue }) => {
    const fault = dataset.typed ? judgeLoginName(dataset.value) : undefined;
    if (fault !== undefined) addIssue({ message: fault });
  }),
);

export const accountBody = jsonBody(
  v.pipe(
    v.object({ account, reason }),
    v.transform(({ account: name, reason }) => ({ name, reason })),
  ),
);

export const accountsQuery = v.pipe(
  v.object({ dry_run: flag, reason }),
  v.transform(({ dry_run: dryRun = false, reason }) => ({ dryRun, reason })),
);

export const accountRow = ({ systems }: Catalog) =>
  v.pipe(
    v.object({
      user_id: rowUser,
      hpc: v.pipe(
        anyText,
        v.rawTransform(({ dataset, addIssue, NEVER }) => {
          const system = systems.find(({ name }) => name === dataset.value);
          if (system) return system;
          const known = systems.map(({ name }) => name).join(', ');
          addIssue({ message: `Unknown HPC system. Known systems: ${known}.` });
          return NEVER;
        }),
      ),
      account,
    }),
    v.transform(({ user_id: user, hpc: system, account: name }) => ({ user, system, name })),
  );
