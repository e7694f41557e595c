import { useState } from 'preact/hooks';
import type { User } from '#client/src/index.ts';
import { useService } from '../../connection/session.ts';
import { Button } from '../../parts/form.tsx';
import { ActDialog } from '../parts/act-dialog.tsx';
import { phrase } from './words.ts';

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
      <h2 id="bans-title">{phrase('bans')}</h2>
      {banned === null && (seen?.bans.length ?? 0) === 0 && (
        <p class="quiet">{phrase('noBans', { user })}</p>
      )}
      {banned !== null && (
        <p class="line">
          <span class="warning">{phrase('bannedEverywhere', { reason: banned })}</span>
          <Button onClick={() => setUnbanning({})}>{phrase('liftBanAsk')}</Button>
        </p>
      )}
      {seen?.bans.map(({ project_hpc: hpc, project_name: project, reason }) => (
        <p key={project} class="line">
          <span class="warning">{phrase('bannedIn', { project, reason })}</span>
          <button
            type="button"
            onClick={() =>
              setUnbanning({ place: { hpc: hpc.toLowerCase(), project_name: project } })
            }
          >
            {phrase('liftBanInAsk', { project })}
          </button>
        </p>
      ))}
      {banned === null && (
        <p>
          <button type="button" class="danger" onClick={() => setBanning(true)}>
            {phrase('banUserAsk')}
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
        />
      )}
      {unbanning && (
        <ActDialog
          title={phrase('liftBanOn', { user })}
          act={phrase('liftBan')}
          onClose={() => setUnbanning(undefined)}
          onAct={async (reason) => {
            const body = { reason };
            await service.unbanUser({ user_id: user, ...unbanning.place, body });
            onChanged();
            return phrase('banLifted');
          }}
        >
          <p>
            {unbanning.place
              ? phrase('canSubmitTo', { user, project: unbanning.place.project_name })
              : phrase('canSubmit', { user })}
          </p>
        </ActDialog>
      )}
    </section>
  );
}

interface BanDialogProps {
  readonly user: string;
  /** Without it, the ban is for all projects. */
  readonly project?: string;
  readonly onBan: (reason: string) => Promise<unknown>;
  readonly onClose: () => void;
}

export function BanDialog({ user, project, onBan, onClose }: BanDialogProps) {
  return (
    <ActDialog
      title={
        project === undefined
          ? phrase('banAnywhere', { user })
          : phrase('banInProject', { user, project })
      }
      act={phrase('banUser')}
      danger
      onClose={onClose}
      onAct={async (reason) => {
        await onBan(reason);
        return phrase('isBanned', { user });
      }}
    >
      <p>
        {project === undefined
          ? phrase('refusedAnywhere', { user })
          : phrase('refusedInProject', { user, project })}{' '}
        {phrase('banMeans', { user })}
      </p>
    </ActDialog>
  );
}
