import { setTimeout as delay } from 'node:timers/promises';
import * as v from 'valibot';
import type { Issuer } from '#local/issuer.ts';
import type { Balance, Change, Told } from './accounts.ts';
import { chooseBy, firstBudget, firstGrants, type Project, type Submitted } from './play.ts';
import { openSender, type Request } from './send.ts';

/** A simulated hour in seconds. Jobs of a day outlast a history so, and short ones end in a second. */
export const simulatedHour = 10;
const day = 86_400;
const hpc = 'hpc_one';

const Account = v.object({
  usage: v.object({
    time: v.object({ granted: v.number(), left: v.number(), held: v.number(), used: v.number() }),
  }),
});
const Budget = v.object({ budget: Account.entries.usage });
const Job = v.object({ job_id: v.string(), terminal_stage: v.boolean() });
const Sums = v.array(v.object({ job_id: v.string(), used: v.object({ time: v.number() }) }));

/** How long a client waits for the end of a short job: it may have been left behind by a kill. */
const awaitEndMs = 3_000;

/** Opens a project whose clients call a service over HTTP, which may be killed meanwhile. */
export async function openOverHttp(url: string, issuer: Issuer, seed: number): Promise<Project> {
  const choose = chooseBy(-seed);
  const name = `led_${seed}`;
  const place = `${hpc}/${name}/`;
  const users = [0, 1].map((at) => String(200_000_000 + ((3 * seed + at) % 700_000_000)));
  const leader = String(200_000_000 + ((3 * seed + 2) % 700_000_000));
  const tokens = {
    members: users.map((user) => issuer.issueToken({ user })),
    leader: issuer.issueToken({ user: leader }),
    administrator: issuer.issueToken({ user: '100001', administrator: true }),
  };
  const jobIds = new Map<string, string>();
  const send = openSender(url);

  const put = (token: string, path: string, body: object): Request => ({
    ...{ method: 'PUT', path, token },
    body: { reason: 'a history', ...body },
  });
  const change = ({ mode, seconds }: Change) => ({ [mode]: { time: seconds } });
  const giveAs = (token: string, member: number, wish: Change) =>
    send(put(token, `/admin/quotas/${users[member]}/${place}`, change(wish))).then(tell);
  function submit({ member, id, held }: Submitted, fields: object, path = '/jobs/'): Request {
    return {
      method: 'POST',
      path: `${path}${place}`,
      token: tokens.members[member] ?? '',
      key: `${name}-${id}`,
      payload: {
        ...{ command: 'true', core_number: '1', runtime: '24.0', title: id },
        ...{ node_number: String(held / day), ...fields },
      },
    };
  }
  /** Half of the clients that lose an answer send the same again, the others never learn it. */
  async function submitJob(job: Submitted, fields = {}, insists = choose(2) === 0) {
    const answer = await send(submit(job, fields), { insists });
    if (answer?.status === 201) jobIds.set(job.id, v.parse(Job, answer.body).job_id);
    return tell(answer);
  }
  const pathOf = ({ id }: Submitted) => `/jobs/${place}${jobIds.get(id)}/`;
  async function readJob(job: Submitted) {
    const token = tokens.members[job.member] ?? '';
    const answer = await send({ method: 'GET', path: pathOf(job), token }, { insists: true });
    return v.parse(Job, answer?.body);
  }

  const { administrator } = tokens;
  const opening: readonly Request[] = [
    put(administrator, `/admin/projects/${place}`, {}),
    put(administrator, `/admin/projects/${place}leaders/`, { leaders: [leader] }),
    put(administrator, `/admin/projects/${place}budget/`, {
      set: { time: firstBudget * day, space: 1000 },
    }),
    ...firstGrants.map((units, member) =>
      put(administrator, `/admin/quotas/${users[member]}/${place}`, {
        set: { time: units * day, space: 1000 },
      }),
    ),
  ];
  for (const request of opening) {
    const answer = await send(request, { insists: true });
    if (tell(answer) !== 'accepted') throw new Error(`${request.path}: ${JSON.stringify(answer)}`);
  }

  return {
    unit: day,
    submit: (job) => submitJob(job),
    async submitBatch(batch, jobs) {
      const fields = { node_number: '1', count: String(jobs) };
      return tell(await send(submit(batch, fields, '/batches/'), { insists: choose(2) === 0 }));
    },
    // Nobody knows the jobs of a submission without an answer, and they would end unseen.
    submitShort: (job) => submitJob(job, { runtime: '0.05', node_number: '480' }, true),
    async awaitEnd(job) {
      const deadline = Date.now() + awaitEndMs;
      while (Date.now() < deadline) {
        if ((await readJob(job)).terminal_stage) return true;
        await delay(50);
      }
      return false;
    },
    async end(job) {
      const token = tokens.members[job.member] ?? '';
      const request = { method: 'DELETE', path: `${pathOf(job)}?only=cancel`, token };
      const answer = await send(request, { insists: choose(2) === 0 });
      if (answer?.status !== 200) return tell(answer);
      if (!v.parse(Job, answer.body).terminal_stage)
        throw new Error('A cancel left its job active.');
      return 'done';
    },
    grant: (member, wish) => giveAs(administrator, member, wish),
    share: (member, wish) => giveAs(tokens.leader, member, wish),
    fund: async (wish) =>
      tell(await send(put(administrator, `/admin/projects/${place}budget/`, change(wish)))),
    async read(member) {
      const path =
        member === 'budget' ? `/projects/${place}budget/` : `/quotas/${place}?expand=usage`;
      const token = member === 'budget' ? tokens.leader : (tokens.members[member] ?? '');
      const answer = await send({ method: 'GET', path, token }, { insists: true });
      if (answer?.status !== 200) throw new Error(`${path}: ${JSON.stringify(answer)}`);
      return member === 'budget'
        ? balanceOf(v.parse(Budget, answer.body).budget.time)
        : balanceOf(v.parse(Account, answer.body).usage.time);
    },
    async readUsed() {
      const used = new Map<string, number>();
      for (const token of tokens.members) {
        const path = `/quotas/${place}ledger/?sum=job`;
        const answer = await send({ method: 'GET', path, token }, { insists: true });
        for (const { job_id, used: of } of v.parse(Sums, answer?.body)) used.set(job_id, of.time);
      }
      return new Map([...jobIds].map(([id, jobId]) => [id, used.get(jobId) ?? 0]));
    },
  };
}

function balanceOf({ granted, left, held }: Balance): Balance {
  return { granted, left, held };
}

const refusals = ['quota-exceeded', 'quota-in-use', 'budget-too-small', 'not-from-budget'];

function tell(answer: { status: number; body: unknown } | undefined): Told | undefined {
  if (!answer) return undefined;
  if (answer.status < 300) return 'accepted';
  const text = JSON.stringify(answer.body);
  if (answer.status === 503 && text.includes(':busy"')) return 'busy';
  if (refusals.some((kind) => text.includes(`:${kind}"`))) return 'refused';
  throw new Error(`Answered with ${answer.status}: ${text}`);
}
