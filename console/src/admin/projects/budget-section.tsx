import { useState } from 'preact/hooks';
import { given } from '#client/src/calls/given.ts';
import { type Charging, nameUnit, writeNodeTime } from '#client/src/format/amounts/amounts.ts';
import { writeExactSize, writeExactTime } from '#client/src/format/amounts/typed.ts';
import { readUserNumber } from '#client/src/format/quotas/read-grant.ts';
import { writeDay } from '#client/src/format/times/day.ts';
import type { LedProject, Project } from '#client/src/index.ts';
import { ledAddress } from '../../browser/address.ts';
import { useSession } from '../../connection/session.ts';
import { chargingOf } from '../../live/catalog.ts';
import { clock } from '../../live/clock.ts';
import { Button, TextField } from '../../parts/form.tsx';
import { Budget } from '../../quotas/budget.tsx';
import { ActDialog, type Behind } from '../parts/act-dialog.tsx';
import { placeOf } from '../parts/place-of.ts';
import { QuotaFields, useDraft } from '../parts/quota-fields.tsx';
import { type Draft, readFields } from '../parts/read-fields.ts';
import { UserName } from '../parts/user-name.tsx';
import { phrase, rich } from './words.ts';

interface BudgetSectionProps {
  readonly led: LedProject;
  readonly project: Project | undefined;
  readonly onChanged: () => void;
}

/** Shows the budget as a bar and who leads the project. Administrators change both here. */
export function BudgetSection({ led, project, onChanged }: BudgetSectionProps) {
  const { administrator } = useSession();
  const { budget, leaders, leader_names: names } = led;
  const [acting, setActing] = useState<'budget' | 'leaders'>();
  const dialog = { led, onDone: onChanged, onClose: () => setActing(undefined) };
  return (
    <section aria-labelledby="budget-title">
      <h2 id="budget-title">{phrase('budget')}</h2>
      <div class="card">
        {budget ? (
          <Budget led={led} />
        ) : (
          <p>
            <strong>{phrase('noBudget')}</strong>{' '}
            {administrator ? phrase('setOne') : phrase('askForOne')}
          </p>
        )}
        {project?.shared && <p>{phrase('drawDirectly')}</p>}
        {project?.members && <p>{phrase('groupIsMember', { group: project.members.group })}</p>}
        <p>
          {leaders.length > 0
            ? rich('ledBy', {
                leaders: leaders.map((user, at) => (
                  <>
                    {at > 0 && ', '}
                    {user}
                    <UserName name={names?.[user]} />
                  </>
                )),
              })
            : phrase('nobodyLeads')}
        </p>
        <p class="line">
          {administrator && (
            <>
              <Button onClick={() => setActing('budget')}>{phrase('setBudgetAsk')}</Button>
              <Button onClick={() => setActing('leaders')}>{phrase('changeLeadersAsk')}</Button>
            </>
          )}
          {budget && <a href={ledAddress.budgetLedger(led)}>{phrase('ledgerOfBudget')}</a>}
        </p>
      </div>
      {acting === 'budget' && <BudgetDialog {...dialog} />}
      {acting === 'leaders' && <LeadersDialog {...dialog} />}
    </section>
  );
}

interface DialogProps extends Behind {
  readonly led: LedProject;
}

function BudgetDialog({ led, ...behind }: DialogProps) {
  const { budget, project_name: project } = led;
  const charging = chargingOf(led.project_hpc);
  const [begun] = useState(() => writeGranted(budget, charging));
  const { draft, field } = useDraft(begun);
  const { problems, body } = readBudget(draft, begun, clock.value);
  return (
    <ActDialog
      title={budget ? phrase('setBudgetOf', { project }) : phrase('giveBudget', { project })}
      act={phrase('setBudget')}
      problems={problems}
      reasonHint={phrase('leadersReadReason')}
      onAct={(service, reason) =>
        service.changeBudget({ ...placeOf(led), body: { ...body, reason } })
      }
      done={phrase('budgetSet')}
      {...behind}
    >
      {(wrong) => (
        <>
          <p>
            {budget && budget.time.shared_out > 0
              ? phrase('totalsFrom', { time: writeNodeTime(budget.time.shared_out, charging) })
              : phrase('totals')}
          </p>
          <QuotaFields
            field={field}
            wrong={wrong}
            charging={charging}
            hints={{
              time: phrase('budgetTimeHint', { unit: nameUnit(charging) }),
              space: phrase('budgetSpaceHint'),
              until:
                budget && budget.valid_until !== null
                  ? phrase('budgetEndsHint', { day: writeDay(budget.valid_until) })
                  : phrase('budgetUntilHint'),
            }}
          />
        </>
      )}
    </ActDialog>
  );
}

interface Granted {
  readonly time: { readonly granted: number };
  readonly space: { readonly granted: number };
}

export function writeGranted(budget: Granted | null, charging: Charging) {
  return {
    time: budget ? writeExactTime(budget.time.granted, charging) : '',
    space: budget ? writeExactSize(budget.space.granted) : '',
    until: '',
  };
}

/** Reads a budget. Unchanged amounts are not sent, because they are shown rounded. */
export function readBudget(draft: Draft, begun: Draft, now: Date) {
  const typed = (name: 'time' | 'space', nothing: string) =>
    draft[name].trim() === begun[name].trim() ? '' : draft[name].trim() || nothing;
  const changed = { time: typed('time', '0'), space: typed('space', '0 GB'), until: draft.until };
  const { problems, time, space, end } = readFields(changed, now, {
    time: phrase('wrongBudgetTime'),
    space: phrase('wrongAmount', { example: '100 GB' }),
  });
  const body = given({ set: given({ time, space }), valid_until: end });
  if (problems.size === 0 && !body) problems.set('time', phrase('nothingChanged'));
  return { problems, body };
}

function LeadersDialog({ led, ...behind }: DialogProps) {
  const { draft, field } = useDraft({ leaders: led.leaders.join(', ') });
  const { problems, users } = readUsers(draft.leaders);
  return (
    <ActDialog
      title={phrase('changeLeaders', { project: led.project_name })}
      act={phrase('setLeaders')}
      problems={problems}
      reasonHint={phrase('auditKeepsReason')}
      onAct={(service, reason) =>
        service.setLeaders({ ...placeOf(led), body: { leaders: users, reason } })
      }
      done={phrase('leadersSet')}
      {...behind}
    >
      {(wrong) => (
        <>
          <p>{phrase('leadersMean')}</p>
          <TextField
            label={phrase('leaders')}
            hint={phrase('leadersHint')}
            {...field('leaders', wrong)}
          />
        </>
      )}
    </ActDialog>
  );
}

/** Reads user numbers between commas or spaces. */
export function readUsers(text: string) {
  const users = text.split(/[\s,;]+/).filter((word) => word !== '');
  const wrong = users.find((word) => readUserNumber(word) === undefined);
  const problems = new Map<string, string>();
  if (wrong !== undefined) problems.set('leaders', phrase('wrongLeader', { word: wrong }));
  return { users, problems };
}
