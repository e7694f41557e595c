import { createHash } from 'node:crypto';
import type { GrantedRow, Slipway } from '../../../index.ts';
import { readCharging } from '../../account/read-charging.ts';
import { outcome } from '../../outcome/outcome.ts';
import { confirm } from '../../session/confirm.ts';
import type { Session } from '../../session/session.ts';
import { askReason } from '../act/ask-reason.ts';
import { type GrantOutcome, grantColumns } from './grant-columns.ts';
import { type GrantOfFile, readGrantsFile } from './read-grants-file.ts';

/** What one request takes. */
const mostRows = 1_000;

interface Wishes {
  readonly from: string;
  readonly dryRun?: true | undefined;
  readonly yes?: true | undefined;
  readonly key?: string | undefined;
  readonly reason?: string | undefined;
}

/** Shows what a file would change, asks, and does it. */
export async function grantMany(session: Session, wishes: Wishes): Promise<void> {
  const client = session.connect();
  const grants = await readGrantsFile(client, wishes.from);
  const reason = grants.every(({ row }) => row.reason !== undefined)
    ? undefined
    : await askReason(session, wishes.reason);
  const key = wishes.key ?? makeKey(grants);
  const send = (dryRun: boolean) => sendGrants(client, grants, { reason, key, dryRun });
  const show = await prepareTable(session, client);
  if (wishes.dryRun || (session.screen.isLive && !wishes.yes)) {
    const preview = await send(true);
    show(preview, 'would be');
    if (wishes.dryRun) return endWith(session, preview);
    if (!(await confirm(session, 'Do it?'))) return session.screen.tell('Nothing was granted.');
  }
  const done = await send(false);
  show(done, 'were');
  if (done.some(isOpen)) {
    session.screen.tell(
      'Correct those lines where they stand, and run it again under the same key:',
      `  slipway admin grant --from ${wishes.from} --key ${key}`,
    );
  }
  endWith(session, done);
}

/** The same file under the same key grants nothing twice, for a day. */
function makeKey(grants: readonly GrantOfFile[]): string {
  return createHash('sha256').update(JSON.stringify(grants)).digest('hex').slice(0, 12);
}

async function sendGrants(
  client: Slipway,
  grants: readonly GrantOfFile[],
  { reason, key, dryRun }: { reason: string | undefined; key: string; dryRun: boolean },
): Promise<GrantOutcome[]> {
  const answers: GrantedRow[] = [];
  for (let start = 0; start < grants.length; start += mostRows) {
    const rows = grants.slice(start, start + mostRows).map(({ row }) => row);
    const many = { rows, dry_run: dryRun, ...(reason !== undefined && { reason }) };
    answers.push(
      ...(await client.grantQuotas(many, { idempotencyKey: `${key}-${start / mostRows}` })),
    );
  }
  return grants.map(({ line, row }, index) => ({ line, row, answer: answers[index] }));
}

async function prepareTable({ screen, json }: Session, client: Slipway) {
  const chargingOf = await readCharging(client);
  return (rows: readonly GrantOutcome[], were: string) => {
    if (json)
      return screen.say(
        JSON.stringify(
          rows.map(({ answer }) => answer),
          null,
          2,
        ),
      );
    const refused = rows.filter(isOpen).length;
    screen.say(...screen.layOut(rows, grantColumns(chargingOf)));
    screen.tell(
      `${rows.length - refused} of ${rows.length} ${were} done${refused > 0 ? `, ${refused} not` : ''}.`,
    );
  };
}

function endWith({ end }: Session, rows: readonly GrantOutcome[]): void {
  if (rows.some(isOpen)) end(outcome.refused);
}

function isOpen({ answer }: GrantOutcome): boolean {
  return answer === undefined || answer.outcome === 'refused' || answer.outcome === 'not-done';
}
