import { mapInParallel } from '#lib/concurrency/map-in-parallel.ts';

/** Calls the service as somebody. Throws if the request is refused. */
export type CallAs = (
  user: string,
  method: string,
  path: string,
  options?: { readonly headers?: Readonly<Record<string, string>>; readonly body?: string },
) => Promise<unknown>;

export const researcher = '306328';
export const administrator = '100001';

const json = { 'content-type': 'application/json' };
const atOnce = 8;

const titles = [
  'first',
  'Energie der 3. Näherung',
  'A study of sea ice under three scenarios, with the longest title that anybody would give to it',
  'run_2026-11-19_final_final_v2',
  '能量',
];

function submit(call: CallAs, user: string, title: string, place = 'hpc_one'): Promise<unknown> {
  const program = place.startsWith('hpc_one') ? { command: 'python3 main.py' } : { tool: 'PYTHON' };
  const fields = { ...program, node_number: 1, core_number: 2, runtime: 0.05, title };
  return call(user, 'POST', `/jobs/${place}/`, {
    headers: {
      'content-disposition': 'attachment; filename=job_file.zip',
      // A header has bytes.
      payload: Buffer.from(JSON.stringify(fields)).toString('latin1'),
    },
  });
}

/** Ten jobs of one researcher, and one of each other thing that a list may show. */
export async function addTenJobs(call: CallAs): Promise<void> {
  for (let job = 0; job < 10; job += 1) {
    // Simulated systems let a job with this word fail.
    const title = job === 3 ? 'sim:fail' : (titles[job % titles.length] ?? '');
    await submit(call, researcher, title);
  }
  await call(researcher, 'POST', '/requests/', {
    headers: json,
    body: JSON.stringify({
      hpc: 'hpc_one',
      project_name: 'proj_hpc_one_01',
      time: 360_000,
      reason: 'A course in spring with thirty people, each of whom needs an hour on a node.',
    }),
  });
}

const projects = 200;
const people = 500;

/** Projects and people of a whole centre, with a job, a request or a leader here and there. */
export async function addCentre(call: CallAs): Promise<void> {
  const nameOf = (at: number) => `proj_hpc_one_${String(at + 10).padStart(3, '0')}`;
  const personOf = (at: number) => String(400_000 + at);
  await mapInParallel([...Array(projects).keys()], atOnce, (at) =>
    call(administrator, 'PUT', `/admin/projects/hpc_one/${nameOf(at)}/`, {
      headers: json,
      body: JSON.stringify({
        reason: 'the centre begins',
        description: titles[at % titles.length],
      }),
    }),
  );
  const rows = Array.from({ length: people }, (_, at) => ({
    user_id: personOf(at),
    hpc: 'hpc_one',
    project_name: nameOf(at % projects),
    add: { time: 3600 * (at + 1), space: 1e6 },
    reason: 'the centre begins',
  }));
  // The most that one request takes.
  for (let first = 0; first < people; first += 100) {
    await call(administrator, 'POST', '/admin/quotas/', {
      headers: { 'content-type': 'application/x-ndjson', 'idempotency-key': `centre-${first}` },
      body: rows
        .slice(first, first + 100)
        .map((row) => `${JSON.stringify(row)}\n`)
        .join(''),
    });
  }
  await mapInParallel([...Array(60).keys()], atOnce, async (at) => {
    const place = `hpc_one/${nameOf(at)}`;
    await submit(call, personOf(at), titles[at % titles.length] ?? '', place);
    if (at % 2 === 0) return;
    await call(personOf(at), 'POST', '/requests/', {
      headers: json,
      body: JSON.stringify({
        hpc: 'hpc_one',
        project_name: nameOf(at),
        time: 36_000,
        reason: `For the ${at}th time`,
      }),
    });
  });
}
