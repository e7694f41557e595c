import { setTimeout } from 'node:timers/promises';
import * as v from 'valibot';
import { bearer } from './deployment.ts';
import { type Scene, type Service, tell } from './scene.ts';

const SystemsForm = v.array(
  v.object({ name: v.string(), payload: v.object({ required: v.array(v.string()) }) }),
);
const SubmittedForm = v.object({ job_id: v.string() });
const JobsForm = v.array(
  v.object({ job_id: v.string(), terminal_stage: v.boolean(), failed: v.boolean() }),
);
const BatchesForm = v.array(v.object({ counts: v.object({ done: v.number() }) }));

const jobsInBatch = 2;
const timeoutMs = 240_000;

/**
 * Runs a job that waits for another one, and a batch, on a system or on the first one that takes a
 * command. The bus has a listener for each.
 */
export async function runRelatedJobs(scene: Scene, service: Service, hpc?: string): Promise<void> {
  await scene.step('chain, batch', async () => {
    const system = (await read(scene, service, '/hpc/', SystemsForm)).find(({ name, payload }) =>
      hpc === undefined ? !payload.required.includes('tool') : name === hpc,
    );
    if (system === undefined) return tell('left out, because no system takes a command');
    const first = await submit(scene, service, `/jobs/${system.name}/`, {});
    const { job_id } = v.parse(SubmittedForm, first);
    const second = await submit(scene, service, `/jobs/${system.name}/`, { after: [job_id] });
    await submit(scene, service, `/batches/${system.name}/`, { count: jobsInBatch });
    const last = v.parse(SubmittedForm, second).job_id;
    const deadline = Date.now() + timeoutMs;
    while (Date.now() < deadline) {
      const jobs = await read(scene, service, '/jobs/', JobsForm);
      const ended = jobs.find((job) => job.job_id === last && job.terminal_stage);
      if (ended?.failed) throw new Error('The job that waited has failed.');
      const [batch] = await read(scene, service, '/batches/', BatchesForm);
      if (ended && batch?.counts.done === jobsInBatch) {
        const what = `a job after another one, and a batch of ${jobsInBatch}`;
        return tell(`${what} on ${system.name}, to their ends`);
      }
      await setTimeout(2000);
    }
    throw new Error('The jobs have not ended in time.');
  });
}

async function submit(
  { deployment }: Scene,
  { api, token }: Service,
  path: string,
  more: object,
): Promise<unknown> {
  const payload = {
    command: 'echo slipway',
    node_number: 1,
    core_number: 1,
    runtime: 0.1,
    ...more,
  };
  const { status, text } = await deployment.call(api, 'POST', path, {
    ...bearer(token),
    'content-disposition': 'attachment; filename=job_file.zip',
    payload: JSON.stringify(payload),
  });
  if (status !== 201) throw new Error(`POST ${path} answered ${status}: ${text}`);
  return JSON.parse(text);
}

async function read<Form extends v.GenericSchema>(
  { deployment }: Scene,
  { api, token }: Service,
  path: string,
  form: Form,
): Promise<v.InferOutput<Form>> {
  const { status, text } = await deployment.get(api, path, token);
  if (status !== 200) throw new Error(`GET ${path} answered ${status}: ${text}`);
  return v.parse(form, JSON.parse(text));
}
