import type { JudgedRequest } from '#client/src/index.ts';
import { SlipwayProblem } from '#client/src/index.ts';
import type { Session } from '../../connection/session.ts';
import { chargingOf, useCatalog } from '../../connection/use-catalog.ts';
import { useLive } from '../../live/use-live.ts';
import { describeTime } from '../../quotas/describe-quota.ts';

/** What somebody has where they ask for more: one decides by it. */
export function HeldNow({
  session,
  request: { user, project_hpc: hpc, project_name: project },
}: {
  readonly session: Session;
  readonly request: JudgedRequest;
}) {
  const catalog = useCatalog(session);
  const { value } = useLive(`held ${user} ${hpc} ${project}`, async (signal) => {
    const asked = { user_id: user, hpc: hpc.toLowerCase(), project_name: project } as const;
    try {
      return {
        quota: await session.service.getQuotaOfUser({ ...asked, expand: 'usage' }, { signal }),
      };
    } catch (error) {
      if (error instanceof SlipwayProblem && error.status === 404) return { quota: undefined };
      throw error;
    }
  });
  if (!value) return null;
  return (
    <span>
      {value.quota
        ? `There, ${user} has ${describeTime(value.quota, chargingOf(catalog, hpc))}.`
        : `There, ${user} has no quota yet.`}
    </span>
  );
}
