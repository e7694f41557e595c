import * as v from 'valibot';
import type { Catalog } from '#lib/catalog/catalog.ts';
import { isUserId, type UserId } from '#lib/catalog/identifiers.ts';
import { account } from '../bodies/account-body.ts';

/** Whose account it is, on which system, and what it is called there. */
export const accountRow = ({ systems }: Catalog) =>
  v.pipe(
    v.object({
      user_id: v.custom<UserId>(
        isUserId,
        'It must be the number of a user, as text and without leading zeros.',
      ),
      hpc: v.pipe(
        v.string('It must be text.'),
        v.rawTransform(({ dataset, addIssue, NEVER }) => {
          const system = systems.find(({ name }) => name === dataset.value);
          if (system) return system;
          const known = systems.map(({ name }) => name).join(', ');
          addIssue({ message: `There is no such HPC system. Known systems: ${known}.` });
          return NEVER;
        }),
      ),
      account,
    }),
    v.transform(({ user_id: user, hpc: system, account: name }) => ({ user, system, name })),
  );
