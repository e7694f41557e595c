import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { describeJob, type LaptopEdition } from '../measure/laptop-edition.ts';
import { type Act, away, type Centre, planMonth } from './plan-month.ts';

export interface Answered {
  /** From the planned moment to the last byte. */
  readonly ms: number;
  /** 0 if there was no answer. */
  readonly status: number;
  /** The type of the problem, if it is one. */
  readonly problem?: string | undefined;
}

const systems = ['hpc_one', 'hpc_two'] as const;
const Job = v.object({ job_id: v.string(), project_name: v.string() });
const Problem = v.pipe(v.string(), v.parseJson(), v.object({ type: v.string() }));
const pages = ['/jobs/?order=desc&limit=100', '/quotas/?expand=usage', '/batches/?limit=20'];

export type Month = ReturnType<typeof openMonth>;

/** Lets the people of a centre work, by plan. */
export function openMonth(
  { url, authorize }: LaptopEdition,
  admin: string,
  centre: Omit<Centre, 'systems'>,
) {
  const answered: Answered[] = [];
  const submitted: { user: string; path: string; wasPaused: boolean }[] = [];
  let jobs = 0;
  let refused = 0;
  /** Returns the text of the answer, or undefined if it is a refusal or none came. */
  const send = async (planned: number, path: string, init: RequestInit) => {
    let status = 0;
    let problem: string | undefined;
    try {
      const answer = await fetch(`${url}${path}`, init);
      const text = await answer.text();
      status = answer.status;
      if (answer.ok) return text;
      problem = v.parse(Problem, text).type.replace(/^.*:/, '');
      return undefined;
    } catch {
      return undefined;
    } finally {
      answered.push({ ms: performance.now() - planned, status, problem });
    }
  };
  const submit = async (act: Extract<Act, { kind: 'job' | 'sweep' }>, planned: number) => {
    const { user, hpc, work, hour } = act;
    const isSweep = act.kind === 'sweep';
    const program = hpc === 'hpc_two' ? { command: undefined, tool: 'CLUSTALW' } : {};
    const headers = {
      ...authorize(user),
      ...describeJob({
        ...program,
        core_number: '1',
        node_number: String(work.nodes),
        runtime: String(hpc === 'hpc_two' ? Math.min(0.5, work.hours) : work.hours),
        ...(isSweep && { count: String(act.count) }),
      }),
    };
    const path = `/${isSweep ? 'batches' : 'jobs'}/${hpc}/`;
    const text = await send(planned, path, { method: 'POST', headers });
    if (text === undefined) {
      refused += 1;
      return;
    }
    jobs += isSweep ? act.count : 1;
    if (isSweep) return;
    const job = v.parse(v.pipe(v.string(), v.parseJson(), Job), text);
    const wasPaused = hpc === systems[1] && hour >= away.from && hour < away.until;
    submitted.push({ user, path: `/jobs/${hpc}/${job.project_name}/${job.job_id}/`, wasPaused });
  };
  const act = async (each: Act, planned: number): Promise<void> => {
    if (each.kind === 'job' || each.kind === 'sweep') return submit(each, planned);
    if (each.kind === 'look') {
      const page = pages[each.page % pages.length] ?? '';
      await send(planned, page, { headers: authorize(each.user) });
      return;
    }
    await send(planned, `/admin/systems/${each.hpc}/${each.kind}/`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${admin}`, 'content-type': 'application/json' },
      body: JSON.stringify({ reason: 'The cooling is repaired.' }),
    });
  };
  return {
    answered,
    submitted,
    jobs: () => jobs,
    get refused() {
      return refused;
    },
    /** Plays the month by the clock, whether or not earlier requests are answered. */
    async play(hourSeconds: number): Promise<void> {
      const began = performance.now();
      const underWay = new Set<Promise<void>>();
      for (const each of planMonth({ ...centre, systems })) {
        const planned = began + each.hour * hourSeconds * 1000;
        const left = planned - performance.now();
        if (left > 0) await sleep(left);
        const sent = act(each, planned).finally(() => underWay.delete(sent));
        underWay.add(sent);
      }
      await Promise.all(underWay);
    },
  };
}
