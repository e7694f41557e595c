import { useState } from 'preact/hooks';
import {
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
      <h2 id="budget-title">Budget</h2>
      <div class="card">
        {budget ? (
          <Budget led={led} />
        ) : (
          <p>
            <strong>No budget yet.</strong>{' '}
            {administrator
              ? 'Set one, and leaders can share it out to members.'
              : 'Ask an administrator for one. Then you can share it out to members.'}
          </p>
        )}
        {project?.shared && <p>Members draw from the budget directly.</p>}
        {project?.members && <p>Everybody in the group {project.members.group} is a member.</p>}
        <p>
          {leaders.length > 0 ? `Led by ${leaders.join(', ')}.` : 'Nobody leads this project yet.'}
        </p>
        <p class="line">
          {administrator && (
            <>
              <Button onClick={() => setActing('budget')}>Set budget…</Button>
              <Button onClick={() => setActing('leaders')}>Change leaders…</Button>
            </>
          )}
          {budget && <a href={ledAddress.budgetLedger(led)}>Ledger of the budget</a>}
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
    time: budget ? writeNodeTime(budget.time.granted, charging) : '',
    space: budget ? writeSize(budget.space.granted * 1000) : '',
    until: '',
  });
  const [begun] = useState(draft);
  const field = bindFields(draft, (name, value) => setDraft({ ...draft, [name]: value }));
  const { problems, body } = readBudget(draft, begun, clock.value);
  return (
    <ActDialog
      title={budget ? `Set the budget of ${project}` : `Give ${project} a budget`}
      act="Set budget"
      problems={problems}
      onClose={onClose}
      onAct={async (reason) => {
        const where = { hpc: systemOf(led), project_name: project };
        await service.changeBudget({ ...where, body: { ...body, reason } });
        onDone();
        return 'Budget set.';
      }}
    >
      {(wrong) => (
        <>
          <p>
            These are totals. A budget cannot be less than what was shared out
            {budget && budget.time.shared_out > 0
              ? `, which is ${writeNodeTime(budget.time.shared_out, charging)}.`
              : '.'}
          </p>
          <div class="fields two">
            <TextField
              label="Time"
              hint={`for example 10,000 ${nameUnit(charging)}`}
              {...field('time', wrong)}
            />
            <TextField label="Space" hint="for example 100 GB" {...field('space', wrong)} />
          </div>
          <TextField
            label="Until"
            hint={
              budget && budget.valid_until !== null
                ? `ends on ${writeDay(budget.valid_until)}; empty keeps it, never removes it`
                : 'for example 31 December; empty for no end date'
            }
            {...field('until', wrong, 'valid_until')}
          />
        </>
      )}
    </ActDialog>
  );
}

interface BudgetDraft {
  readonly time: string;
  readonly space: string;
  readonly until: string;
}

/** Reads a budget. Unchanged amounts are not sent, because they are shown rounded. */
export function readBudget(draft: BudgetDraft, begun: BudgetDraft, now: Date) {
  const problems = new Map<string, string>();
  const amount = (name: 'time' | 'space', read: typeof readNodeTime, example: string) => {
    const text = draft[name].trim();
    if (text === begun[name].trim()) return undefined;
    const found = text === '' ? 0 : read(text);
    if (found !== undefined && found >= 0) return found;
    problems.set(name, `Enter an amount, such as ${example}.`);
    return undefined;
  };
  const time = amount('time', readNodeTime, '10,000');
  const space = amount('space', readKilobytes, '100 GB');
  const { end, problem } = readEnd(draft.until, now);
  if (problem !== undefined) problems.set('valid_until', problem);
  if (problems.size === 0 && time === undefined && space === undefined && end === undefined) {
    problems.set('time', 'Change the time, the space or the end.');
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
      title={`Change the leaders of ${project}`}
      act="Set leaders"
      problems={new Map(problem === undefined ? [] : [['leaders', problem]])}
      onClose={onClose}
      onAct={async (reason) => {
        const where = { hpc: systemOf(led), project_name: project };
        await service.setLeaders({ ...where, body: { leaders: [...users], reason } });
        onDone();
        return 'Leaders set.';
      }}
    >
      {(wrong) => (
        <>
          <p>
            Leaders see the members, jobs and usage of this project, share out its budget and decide
            requests.
          </p>
          <TextField
            label="Leaders"
            hint="user numbers, separated by commas; empty for nobody"
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
    : { users: [], problem: `'${wrong}' is not a user number. Enter numbers such as 306328.` };
}
