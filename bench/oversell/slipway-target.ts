import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { openContractTarget, readJson, submit } from './contract-target.ts';
import type { Access, Target } from './target.ts';

const Estimate = v.object({ held: v.object({ time: v.number() }) });
const Quota = v.object({ user: v.string() });

const enoughSeconds = 1_000_000_000;

/**
 * Measures Slipway: an administrator grants exactly what some jobs need, the price comes from an
 * estimate, and a submission whose answer got lost is repeated with its key.
 */
export function openSlipwayTarget(access: Access, adminToken: string): Target {
  const { hpc, project } = access;
  const contract = openContractTarget(access);
  return {
    ...contract,
    async prepare(fits) {
      const { user } = v.parse(Quota, await readJson(access, `/quotas/${hpc}/${project}/`));
      const grant = (time: number) =>
        readJson({ ...access, token: adminToken }, `/admin/quotas/${user}/${hpc}/${project}/`, {
          method: 'PUT',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ reason: 'the oversell bench', add: { time } }),
        });
      // An estimate is refused like a submission, so there has to be enough for one.
      await grant(enoughSeconds);
      const price = await readPrice(access);
      await grant(fits * price - (await contract.readAccount()));
      return { remaining: await contract.readAccount(), price };
    },
    submit: (wish) => submit(access, wish, randomUUID()),
  };
}

async function readPrice(access: Access): Promise<number> {
  const { hpc, project, fields } = access;
  const estimate = await readJson(access, `/jobs/${hpc}/${project}/?dry_run=true`, {
    method: 'POST',
    headers: {
      'content-disposition': 'attachment; filename=job_file.zip',
      payload: JSON.stringify({ ...fields, title: 'oversell price' }),
    },
  });
  return v.parse(Estimate, estimate).held.time;
}
