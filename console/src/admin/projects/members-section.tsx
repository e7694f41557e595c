import { useEffect, useState } from 'preact/hooks';
import { given } from '#client/src/calls/given.ts';
import {
  changeShare,
  chooseFirstSpace,
  describeTooMuch,
} from '#client/src/changes/change-share.ts';
import {
  type Charging,
  nameUnit,
  writeRest,
  writeShares,
  writeSize,
} from '#client/src/format/amounts/amounts.ts';
import { readUserNumber } from '#client/src/format/quotas/read-grant.ts';
import { writeDay } from '#client/src/format/times/day.ts';
import type { LedProject, Quota } from '#client/src/index.ts';
import { accountAt, type ProjectPlace } from '../../browser/address.ts';
import { useSession } from '../../connection/session.ts';
import { chargingOf, isShared } from '../../live/catalog.ts';
import { clock } from '../../live/clock.ts';
import { Button, PlainButton, TextField } from '../../parts/form.tsx';
import { Empty } from '../../parts/loading.tsx';
import { SearchField } from '../../parts/search-field.tsx';
import { TimeBar } from '../../parts/share-bar.tsx';
import { Table } from '../../parts/table.tsx';
import { describeTime } from '../../quotas/describe-quota.ts';
import { ActDialog, type Behind } from '../parts/act-dialog.tsx';
import { ListOf, usePages } from '../parts/list-of.tsx';
import { QuotaFields, useDraft } from '../parts/quota-fields.tsx';
import { type Draft, readFields } from '../parts/read-fields.ts';
import { useFound } from '../parts/use-found.ts';
import { useLinks } from '../parts/use-links.ts';
import { UserName } from '../parts/user-name.tsx';
import { ExtendDialog, RemoveDialog } from '../people/quotas-of-person.tsx';
import { phrase } from './words.ts';

interface MembersSectionProps {
  readonly at: ProjectPlace;
  /** Increases when somebody else than this section has changed the members. */
  readonly round: number;
  readonly budget: LedProject['budget'];
  readonly onChanged: () => void;
}

type Acting =
  | { readonly act: 'invite' }
  | { readonly act: 'give' | 'take'; readonly quota: Quota }
  | { readonly act: 'extend' | 'remove'; readonly quota: Quota };

/** Lists the members with what they have and use, and shares the budget out to them. */
export function MembersSection({ at, round, budget, onChanged }: MembersSectionProps) {
  const { hpc, project } = at;
  const pages = usePages(`quotas in ${hpc} ${project}`, (service, signal) =>
    service.listAllQuotas({ hpc, project, expand: 'usage', names: true }, { signal }),
  );
  const [wanted, setWanted] = useState('');
  const found = useFound(wanted, pages.hasMore, (service, search, signal) =>
    service.listAllQuotas({ hpc, project, search, expand: 'usage', names: true }, { signal }),
  );
  const [acting, setActing] = useState<Acting>();
  useEffect(() => {
    if (round > 0) pages.refresh();
  }, [round]);
  const dialog = {
    onDone: () => {
      pages.refresh();
      onChanged();
    },
    onClose: () => setActing(undefined),
  };
  return (
    <section aria-labelledby="members-title">
      <header class="page-head">
        <h2 id="members-title">{phrase('members')}</h2>
        <Button class="main" onClick={() => setActing({ act: 'invite' })}>
          {phrase('inviteAsk')}
        </Button>
      </header>
      <ListOf
        pages={pages}
        empty={<Empty title={phrase('noMembers')}>{phrase('inviteSomebody')}</Empty>}
      >
        {(quotas) => (
          <>
            {(quotas.length > fewMembers || wanted !== '') && (
              <SearchField label={phrase('searchMembers')} value={wanted} onValue={setWanted} />
            )}
            <MembersTable
              quotas={found ?? quotas.filter((quota) => isMember(quota, wanted))}
              onAct={setActing}
            />
          </>
        )}
      </ListOf>
      {acting?.act === 'extend' && <ExtendDialog quota={acting.quota} {...dialog} />}
      {acting?.act === 'remove' && <RemoveDialog quota={acting.quota} {...dialog} />}
      {(acting?.act === 'invite' || acting?.act === 'give' || acting?.act === 'take') && (
        <ShareDialog at={at} acting={acting} budget={budget} {...dialog} />
      )}
    </section>
  );
}

/** As many members as are seen at a glance. */
const fewMembers = 10;

function isMember({ user, name = '' }: Quota, wanted: string): boolean {
  return `${user} ${name}`.toLowerCase().includes(wanted.trim().toLowerCase());
}

interface MembersTableProps {
  readonly quotas: readonly Quota[];
  readonly onAct: (acting: Acting) => void;
}

function MembersTable({ quotas, onAct }: MembersTableProps) {
  return (
    <Table
      folds
      rows={quotas}
      keyOf={({ id }) => id}
      columns={[
        {
          head: phrase('member'),
          cell: (quota) => <Member quota={quota} onAct={onAct} />,
          class: 'member',
        },
        {
          head: phrase('used'),
          cell: ({ usage }) => usage && writeUsed(usage.time),
          class: 'number',
        },
        { head: phrase('activeJobs'), cell: ({ usage }) => usage?.living_jobs, class: 'number' },
        {
          head: phrase('ends'),
          cell: ({ usage }) => usage?.valid_until && writeDay(usage.valid_until),
          class: 'one-line',
        },
        quotas.some(({ usage }) => usage?.banned) && {
          head: phrase('ban'),
          cell: ({ usage }: Quota) => usage?.banned,
        },
      ]}
      walkable
    />
  );
}

/** Writes the hours with the precision of those that are left. */
function writeUsed({ left, used, held }: { left: number; used: number; held: number }) {
  return writeShares([left, used, held], 'mixed').hours[1];
}

interface MemberProps {
  readonly quota: Quota;
  readonly onAct: (acting: Acting) => void;
}

/** Shows in one cell what matters most, so that a phone shows it without scrolling. */
function Member({ quota, onAct }: MemberProps) {
  const links = useLinks();
  const draws = isShared(quota) && quota.usage?.time.granted === 0;
  const said = draws ? phrase('draws') : describeTime(quota, chargingOf(quota.project_hpc));
  return (
    <>
      <p class="line between">
        <span>
          <a href={links.person(quota.user, quota)}>{quota.user}</a>
          <UserName name={quota.name} />
        </span>
        <span class="one-line">{said}</span>
      </p>
      {quota.usage && !draws && <TimeBar label={said} time={quota.usage.time} />}
      <p class="line">
        {acts.map(({ act, words }) => (
          <PlainButton key={act} onClick={() => onAct({ act, quota })}>
            {words()}
          </PlainButton>
        ))}
      </p>
    </>
  );
}

const acts = [
  { act: 'give', words: () => phrase('giveAsk') },
  { act: 'take', words: () => phrase('takeAsk') },
  { act: 'extend', words: () => phrase('extendAsk') },
  { act: 'remove', words: () => phrase('removeAsk') },
] as const;

const buttons = {
  invite: () => phrase('inviteMember'),
  give: () => phrase('giveTime'),
  take: () => phrase('takeBack'),
} as const;

type ShareAct = keyof typeof buttons;

interface ShareDialogProps extends Behind {
  readonly at: ProjectPlace;
  readonly acting: { readonly act: ShareAct; readonly quota?: Quota };
  readonly budget: LedProject['budget'];
}

/** Invites a member, gives one more, or takes some back. */
function ShareDialog({ at, acting, budget, ...behind }: ShareDialogProps) {
  const { act, quota } = acting;
  const charging = chargingOf(accountAt(at).project_hpc);
  const unit = nameUnit(charging);
  const end = quota?.usage?.valid_until;
  const { administrator } = useSession();
  const firstSpace = chooseFirstSpace(administrator ? null : budget);
  const getsFirst = act !== 'take' && (quota?.usage?.space.granted ?? 0) === 0;
  const { draft, field } = useDraft({ user: quota?.user ?? '', time: '', space: '', until: '' });
  const { problems, share } = readShare(draft, act, clock.value, quota);
  return (
    <ActDialog
      title={writeTitle(act, draft.user, at.project)}
      act={buttons[act]()}
      problems={problems}
      onAct={(service, reason) => {
        const place = { user_id: draft.user.trim(), hpc: at.hpc, project_name: at.project };
        return changeShare(service, place, { ...share, firstSpace, reason });
      }}
      done={({ isNew }) => {
        if (act === 'take') return phrase('takenBack');
        return isNew ? phrase('memberInvited') : phrase('timeGiven');
      }}
      {...behind}
    >
      {(wrong) => (
        <>
          <ShareMeans act={act} quota={quota} left={budget?.time.left} charging={charging} />
          {act === 'invite' && (
            <TextField label={phrase('user')} hint={phrase('userHint')} {...field('user', wrong)} />
          )}
          <QuotaFields
            field={field}
            wrong={wrong}
            charging={charging}
            hints={{
              time:
                act === 'invite'
                  ? phrase('timeOrNoneHint', { unit })
                  : phrase('timeHint', { unit }),
              space: getsFirst
                ? phrase('firstSpaceHint', { size: writeSize(firstSpace * 1000) })
                : phrase('spaceHint'),
              until:
                act === 'take'
                  ? undefined
                  : end
                    ? phrase('endsHint', { day: writeDay(end) })
                    : phrase('untilHint'),
            }}
          />
        </>
      )}
    </ActDialog>
  );
}

function writeTitle(act: ShareAct, user: string, project: string): string {
  if (act === 'invite') return phrase('inviteTo', { project });
  return act === 'give'
    ? phrase('giveMore', { user, project })
    : phrase('takeFrom', { user, project });
}

interface ShareMeansProps {
  readonly act: ShareAct;
  readonly quota: Quota | undefined;
  /** Seconds of the budget that are left. */
  readonly left: number | undefined;
  readonly charging: Charging;
}

/** Says where the amounts come from, or go. */
function ShareMeans({ act, quota, left, charging }: ShareMeansProps) {
  const { administrator } = useSession();
  const has =
    quota && `${phrase('memberHas', { user: quota.user, time: describeTime(quota, charging) })} `;
  if (act === 'take') {
    return (
      <p>
        {has}
        {!administrator && phrase('goesBack')}
      </p>
    );
  }
  return (
    <p>
      {has}
      {administrator || left === undefined
        ? phrase('notFromBudget')
        : phrase('fromBudget', { time: writeRest(left, charging) })}
    </p>
  );
}

/** Reads a share as typed. An invitation may be without any amount. */
export function readShare(
  draft: Draft & { readonly user: string },
  act: ShareAct,
  now: Date,
  quota?: Quota,
) {
  const { problems, end, ...read } = readFields(draft, now, {
    time: phrase('wrongAmount', { example: '20' }),
    space: phrase('wrongAmount', { example: '10 GB' }),
  });
  const { time = 0, space } = read;
  if (act !== 'invite' && problems.size === 0 && time === 0 && !space) {
    problems.set('time', phrase('nothingGiven'));
  }
  const tooMuch =
    act === 'take' && quota
      ? describeTooMuch(quota, { time, space: space ?? 0 }, chargingOf(quota.project_hpc))
      : undefined;
  if (tooMuch !== undefined) problems.set('time', tooMuch);
  if (readUserNumber(draft.user) === undefined) problems.set('user', phrase('wrongUser'));
  const sign = act === 'take' ? -1 : 1;
  const kilobytes = space === undefined ? undefined : sign * space;
  return { problems, share: { time: sign * time, ...given({ space: kilobytes, until: end }) } };
}
