import { useState } from 'preact/hooks';
import type { User } from '#client/src/index.ts';
import { useService } from '../../connection/session.ts';
import { Button } from '../../parts/form.tsx';
import { ActDialog } from '../parts/act-dialog.tsx';

/** Everywhere, or in one project. */
interface Scope {
  readonly place?: { readonly hpc: string; readonly project_name: string };
}

interface BansOfPersonProps {
  readonly user: string;
  readonly seen: User | undefined;
  readonly onChanged: () => void;
}

export function BansOfPerson({ user, seen, onChanged }: BansOfPersonProps) {
  const service = useService();
  const [unbanning, setUnbanning] = useState<Scope>();
  const [banning, setBanning] = useState(false);
  const banned = seen?.banned ?? null;
  return (
    <section aria-labelledby="bans-title">
      <h2 id="bans-title">Bans</h2>
      {banned === null && (seen?.bans.length ?? 0) === 0 && (
        <p class="quiet">No bans. {user} can submit wherever they have a quota.</p>
      )}
      {banned !== null && (
        <p class="line">
          <span class="warning">Banned everywhere: {banned}</span>
          <Button onClick={() => setUnbanning({})}>Lift ban…</Button>
        </p>
      )}
      {seen?.bans.map(({ project_hpc: hpc, project_name: project, reason }) => (
        <p key={project} class="line">
          <span class="warning">
            Banned in {project}: {reason}
          </span>
          <button
            type="button"
            onClick={() =>
              setUnbanning({ place: { hpc: hpc.toLowerCase(), project_name: project } })
            }
          >
            Lift ban in {project}…
          </button>
        </p>
      ))}
      {banned === null && (
        <p>
          <button type="button" class="danger" onClick={() => setBanning(true)}>
            Ban user…
          </button>
        </p>
      )}
      {banning && (
        <BanDialog
          user={user}
          onClose={() => setBanning(false)}
          onBan={async (reason) => {
            await service.banUser({ user_id: user, body: { reason } });
            onChanged();
          }}
          where="anywhere"
        />
      )}
      {unbanning && (
        <ActDialog
          title={`Lift the ban on ${user}?`}
          act="Lift ban"
          onClose={() => setUnbanning(undefined)}
          onAct={async (reason) => {
            const body = { reason };
            await service.unbanUser({ user_id: user, ...unbanning.place, body });
            onChanged();
            return 'Ban lifted.';
          }}
        >
          <p>
            {user} can submit again{' '}
            {unbanning.place ? `to ${unbanning.place.project_name}` : 'wherever they have a quota'}.
            Other bans stay in place.
          </p>
        </ActDialog>
      )}
    </section>
  );
}

interface BanDialogProps {
  readonly user: string;
  /** `anywhere`, or `to proj_hpc_one_01`. */
  readonly where: string;
  readonly onBan: (reason: string) => Promise<unknown>;
  readonly onClose: () => void;
}

export function BanDialog({ user, where, onBan, onClose }: BanDialogProps) {
  return (
    <ActDialog
      title={`Ban ${user} from submitting ${where}?`}
      act="Ban user"
      danger
      onClose={onClose}
      onAct={async (reason) => {
        await onBan(reason);
        return `${user} is banned.`;
      }}
    >
      <p>
        Jobs that {user} submits {where} are refused with your reason. Running jobs continue, and{' '}
        {user} can still download files and cancel jobs. You can lift the ban at any time.
      </p>
    </ActDialog>
  );
}
