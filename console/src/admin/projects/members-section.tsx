import { useEffect, useState } from 'preact/hooks';
import { changeShare } from '#client/src/changes/change-share.ts';
import {
  nameUnit,
  readKilobytes,
  readNodeTime,
  writeNodeHours,
  writeRest,
} from '#client/src/format/amounts.ts';
import { writeDay } from '#client/src/format/day.ts';
import type { LedProject, Quota } from '#client/src/index.ts';
import { accountAt, type ProjectPlace } from '../../browser/address.ts';
import { useService, useSession } from '../../connection/session.ts';
import { chargingOf, isShared } from '../../live/catalog.ts';
import { clock } from '../../live/clock.ts';
import { bindFields, PlainButton, TextField } from '../../parts/form.tsx';
import { Empty } from '../../parts/loading.tsx';
import { TimeBar } from '../../parts/share-bar.tsx';
import { Table } from '../../parts/table.tsx';
import { describeTime } from '../../quotas/describe-quota.ts';
import { ActDialog } from '../parts/act-dialog.tsx';
import { ListOf, usePages } from '../parts/list-of.tsx';
import { readEnd } from '../parts/read-end.ts';
import { useLinks } from '../parts/use-links.ts';
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
    service.listAllQuotas({ hpc, project, expand: 'usage' }, { signal }),
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
        <button type="button" class="main" onClick={() => setActing({ act: 'invite' })}>
          {phrase('inviteAsk')}
        </button>
      </header>
      <ListOf
        pages={pages}
        empty={<Empty title={phrase('noMembers')}>{phrase('inviteSomebody')}</Empty>}
      >
        {(quotas) => <MembersTable quotas={quotas} onAct={setActing} />}
      </ListOf>
      {acting?.act === 'extend' && <ExtendDialog quota={acting.quota} {...dialog} />}
      {acting?.act === 'remove' && <RemoveDialog quota={acting.quota} {...dialog} />}
      {(acting?.act === 'invite' || acting?.act === 'give' || acting?.act === 'take') && (
        <ShareDialog at={at} acting={acting} budget={budget} {...dialog} />
      )}
    </section>
  );
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
          cell: ({ usage }) => usage && writeNodeHours(usage.time.used),
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
        <a href={links.person(quota.user, quota)}>{quota.user}</a>
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

interface ShareDialogProps {
  readonly at: ProjectPlace;
  readonly acting: { readonly act: 'invite' | 'give' | 'take'; readonly quota?: Quota };
  readonly budget: LedProject['budget'];
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Invites a member, gives one more, or takes some back. */
function ShareDialog({ at, acting, budget, onDone, onClose }: ShareDialogProps) {
  const service = useService();
  const { act, quota } = acting;
  const charging = chargingOf(accountAt(at).project_hpc);
  const unit = nameUnit(charging);
  const [draft, setDraft] = useState({ user: quota?.user ?? '', time: '', space: '', until: '' });
  const field = bindFields(draft, (name, value) => setDraft({ ...draft, [name]: value }));
  const { problems, share } = readShare(draft, act, clock.value);
  return (
    <ActDialog
      title={writeTitle(act, draft.user, at.project)}
      act={buttons[act]()}
      problems={problems}
      onClose={onClose}
      onAct={async (reason) => {
        const place = { user_id: draft.user.trim(), hpc: at.hpc, project_name: at.project };
        const { isNew } = await changeShare(service, place, { ...share, reason });
        onDone();
        if (act === 'take') return phrase('takenBack');
        return isNew ? phrase('memberInvited') : phrase('timeGiven');
      }}
    >
      {(wrong) => (
        <>
          <ShareMeans act={act} quota={quota} left={budget?.time.left} charging={charging} />
          {act === 'invite' && (
            <TextField label={phrase('user')} hint={phrase('userHint')} {...field('user', wrong)} />
          )}
          <div class="fields two">
            <TextField
              label={phrase('time')}
              hint={
                act === 'invite' ? phrase('timeOrNoneHint', { unit }) : phrase('timeHint', { unit })
              }
              {...field('time', wrong)}
            />
            <TextField
              label={phrase('space')}
              hint={phrase('spaceHint')}
              {...field('space', wrong)}
            />
          </div>
          {act !== 'take' && (
            <TextField
              label={phrase('until')}
              hint={
                quota?.usage?.valid_until
                  ? phrase('endsHint', { day: writeDay(quota.usage.valid_until) })
                  : phrase('untilHint')
              }
              {...field('until', wrong, 'valid_until')}
            />
          )}
        </>
      )}
    </ActDialog>
  );
}

function writeTitle(act: ShareDialogProps['acting']['act'], user: string, project: string): string {
  if (act === 'invite') return phrase('inviteTo', { project });
  return act === 'give'
    ? phrase('giveMore', { user, project })
    : phrase('takeFrom', { user, project });
}

interface ShareMeansProps extends Pick<ShareDialogProps['acting'], 'act'> {
  readonly quota: Quota | undefined;
  /** Seconds of the budget that are left. */
  readonly left: number | undefined;
  readonly charging: Parameters<typeof nameUnit>[0];
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

interface ShareDraft {
  readonly user: string;
  readonly time: string;
  readonly space: string;
  readonly until: string;
}

/** Reads a share as typed. An invitation may be without any amount. */
export function readShare(draft: ShareDraft, act: 'invite' | 'give' | 'take', now: Date) {
  const problems = new Map<string, string>();
  if (!/^(0|[1-9]\d*)$/.test(draft.user.trim())) {
    problems.set('user', phrase('wrongUser'));
  }
  const amount = (name: 'time' | 'space', read: typeof readNodeTime, example: string) => {
    const text = draft[name].trim();
    const found = text === '' ? 0 : read(text);
    if (found !== undefined && found >= 0) return act === 'take' ? -found : found;
    problems.set(name, phrase('wrongAmount', { example }));
    return 0;
  };
  const time = amount('time', readNodeTime, '20');
  const space = amount('space', readKilobytes, '10 GB');
  const { end, problem } = readEnd(draft.until, now);
  if (problem !== undefined) problems.set('valid_until', problem);
  if (act !== 'invite' && problems.size === 0 && time === 0 && space === 0) {
    problems.set('time', phrase('nothingGiven'));
  }
  return { problems, share: { time, space, ...(end !== undefined && { until: end }) } };
}
