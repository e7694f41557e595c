import { useState } from 'preact/hooks';
import {
  type Charging,
  nameUnit,
  readKilobytes,
  readNodeTime,
  writeNodeTime,
  writeSize,
} from '#client/src/format/amounts.ts';
import { writeDay } from '#client/src/format/day.ts';
import type { LedProject, Project } from '#client/src/index.ts';
import { ledAddress, systemOf } from '../../browser/address.ts';
import { useService, useSession } from '../../connection/session.ts';
import { chargingOf } from '../../live/catalog.ts';
import { clock } from '../../live/clock.ts';
import { Button, bindFields, TextField } from '../../parts/form.tsx';
import { Budget } from '../../quotas/budget.tsx';
import { ActDialog } from '../parts/act-dialog.tsx';
import { readEnd } from '../parts/read-end.ts';
import { phrase } from './words.ts';

interface BudgetSectionProps {
  readonly led: LedProject;
  readonly project: Project | undefined;
  readonly onChanged: () => void;
}

/** Shows the budget as a bar and who leads the project. Administrators change both here. */
export function BudgetSection({ led, project, onChanged }: BudgetSectionProps) {
  const { administrator } = useSession();
  const { budget, leaders } = led;
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
            ? phrase('ledBy', { leaders: leaders.join(', ') })
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

interface DialogProps {
  readonly led: LedProject;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function BudgetDialog({ led, onDone, onClose }: DialogProps) {
  const service = useService();
  const { budget, project_name: project } = led;
  const charging = chargingOf(led.project_hpc);
  const [draft, setDraft] = useState({
    ...writeGranted(budget, charging),
    until: '',
  });
  const [begun] = useState(draft);
  const field = bindFields(draft, (name, value) => setDraft({ ...draft, [name]: value }));
  const { problems, body } = readBudget(draft, begun, clock.value);
  return (
    <ActDialog
      title={budget ? phrase('setBudgetOf', { project }) : phrase('giveBudget', { project })}
      act={phrase('setBudget')}
      problems={problems}
      onClose={onClose}
      onAct={async (reason) => {
        const where = { hpc: systemOf(led), project_name: project };
        await service.changeBudget({ ...where, body: { ...body, reason } });
        onDone();
        return phrase('budgetSet');
      }}
    >
      {(wrong) => (
        <>
          <p>
            {budget && budget.time.shared_out > 0
              ? phrase('totalsFrom', { time: writeNodeTime(budget.time.shared_out, charging) })
              : phrase('totals')}
          </p>
          <div class="fields two">
            <TextField
              label={phrase('time')}
              hint={phrase('budgetTimeHint', { unit: nameUnit(charging) })}
              {...field('time', wrong)}
            />
            <TextField
              label={phrase('space')}
              hint={phrase('budgetSpaceHint')}
              {...field('space', wrong)}
            />
          </div>
          <TextField
            label={phrase('until')}
            hint={
              budget && budget.valid_until !== null
                ? phrase('budgetEndsHint', { day: writeDay(budget.valid_until) })
                : phrase('budgetUntilHint')
            }
            {...field('until', wrong, 'valid_until')}
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

/** Writes what is granted as people do, unless it would be read as another amount. */
export function writeGranted(budget: Granted | null, charging: Charging) {
  if (!budget) return { time: '', space: '' };
  const seconds = budget.time.granted;
  const kilobytes = budget.space.granted;
  const time = writeNodeTime(seconds, charging);
  const space = writeSize(kilobytes * 1000);
  return {
    time: readNodeTime(time) === seconds ? time : `${seconds / 3600}`,
    space: readKilobytes(space) === kilobytes ? space : `${kilobytes / 1e6} GB`,
  };
}

interface BudgetDraft {
  readonly time: string;
  readonly space: string;
  readonly until: string;
}

/** Reads a budget. Unchanged amounts are not sent, because they are shown rounded. */
export function readBudget(draft: BudgetDraft, begun: BudgetDraft, now: Date) {
  const problems = new Map<string, string>();
  const amount = (name: 'time' | 'space', read: typeof readNodeTime, wrong: string) => {
    const text = draft[name].trim();
    if (text === begun[name].trim()) return undefined;
    const found = text === '' ? 0 : read(text);
    if (found !== undefined && found >= 0) return found;
    problems.set(name, wrong);
    return undefined;
  };
  const time = amount('time', readNodeTime, phrase('wrongBudgetTime'));
  const space = amount('space', readKilobytes, phrase('wrongAmount', { example: '100 GB' }));
  const { end, problem } = readEnd(draft.until, now);
  if (problem !== undefined) problems.set('valid_until', problem);
  if (problems.size === 0 && time === undefined && space === undefined && end === undefined) {
    problems.set('time', phrase('nothingChanged'));
  }
  const set = { ...(time !== undefined && { time }), ...(space !== undefined && { space }) };
  return {
    problems,
    body: {
      ...(Object.keys(set).length > 0 && { set }),
      ...(end !== undefined && { valid_until: end }),
    },
  };
}

function LeadersDialog({ led, onDone, onClose }: DialogProps) {
  const service = useService();
  const { project_name: project } = led;
  const [text, setText] = useState(led.leaders.join(', '));
  const { problem, users } = readUsers(text);
  return (
    <ActDialog
      title={phrase('changeLeaders', { project })}
      act={phrase('setLeaders')}
      problems={new Map(problem === undefined ? [] : [['leaders', problem]])}
      onClose={onClose}
      onAct={async (reason) => {
        const where = { hpc: systemOf(led), project_name: project };
        await service.setLeaders({ ...where, body: { leaders: [...users], reason } });
        onDone();
        return phrase('leadersSet');
      }}
    >
      {(wrong) => (
        <>
          <p>{phrase('leadersMean')}</p>
          <TextField
            label={phrase('leaders')}
            hint={phrase('leadersHint')}
            error={wrong.get('leaders')}
            value={text}
            onValue={setText}
          />
        </>
      )}
    </ActDialog>
  );
}

/** Reads user numbers between commas or spaces. */
export function readUsers(text: string): {
  readonly users: readonly string[];
  readonly problem?: string;
} {
  const users = text.split(/[\s,;]+/).filter((word) => word !== '');
  const wrong = users.find((word) => !/^(0|[1-9]\d*)$/.test(word));
  return wrong === undefined
    ? { users }
    : { users: [], problem: phrase('wrongLeader', { word: wrong }) };
}
