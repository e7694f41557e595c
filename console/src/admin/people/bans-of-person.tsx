import { useState } from 'preact/hooks';
import type { User } from '#client/src/index.ts';
import { Button } from '../../parts/form.tsx';
import { ActDialog, type Behind } from '../parts/act-dialog.tsx';
import { placeOf } from '../parts/place-of.ts';
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
      {seen?.bans.map((ban) => (
        <p key={ban.project_name} class="line">
          <span class="warning">
            {phrase('bannedIn', { project: ban.project_name, reason: ban.reason })}
          </span>
          <Button onClick={() => setUnbanning({ place: placeOf(ban) })}>
            {phrase('liftBanInAsk', { project: ban.project_name })}
          </Button>
        </p>
      ))}
      {banned === null && (
        <p>
          <Button class="danger" onClick={() => setBanning(true)}>
            {phrase('banUserAsk')}
          </Button>
        </p>
      )}
      {banning && <BanDialog user={user} onDone={onChanged} onClose={() => setBanning(false)} />}
      {unbanning && (
        <ActDialog
          title={phrase('liftBanOn', { user })}
          act={phrase('liftBan')}
          onAct={(service, reason) =>
            service.unbanUser({ user_id: user, ...unbanning.place, body: { reason } })
          }
          done={phrase('banLifted')}
          onDone={onChanged}
          onClose={() => setUnbanning(undefined)}
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

export function BanDialog({ user, place, ...behind }: Scope & Behind & { readonly user: string }) {
  const project = place?.project_name;
  return (
    <ActDialog
      title={
        project === undefined
          ? phrase('banAnywhere', { user })
          : phrase('banInProject', { user, project })
      }
      act={phrase('banUser')}
      danger
      onAct={(service, reason) => service.banUser({ user_id: user, ...place, body: { reason } })}
      done={phrase('isBanned', { user })}
      {...behind}
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
