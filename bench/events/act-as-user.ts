import * as v from 'valibot';
import type { LaptopEdition } from '../measure/start-laptop-edition.ts';

export interface User {
  /** Submits a short job; its id, and the moment of its 201. */
  submit(): Promise<{ readonly jobId: string; readonly acceptedAt: number }>;
  /** Registers an address for these events, and returns what takes it away again. */
  register(address: string, events: readonly string[]): Promise<() => Promise<void>>;
}

const payload = JSON.stringify({
  command: 'python3 main.py',
  node_number: '1',
  core_number: '4',
  runtime: '0.01',
  title: 'a job title',
});

const Job = v.object({ job_id: v.string() });
const Webhook = v.object({ webhook_id: v.string() });

export function actAsUser({ url, issuer }: LaptopEdition, user: string): User {
  const authorization = `Bearer ${issuer.issueToken({ user })}`;
  const call = async (method: string, path: string, status: number, more: RequestInit = {}) => {
    const headers = { authorization, ...more.headers };
    const answer = await fetch(`${url}${path}`, { ...more, method, headers });
    const text = await answer.text();
    if (answer.status !== status) throw new Error(`${method} ${path}: ${answer.status} ${text}`);
    return JSON.parse(text);
  };
  return {
    async submit() {
      const headers = { payload, 'content-disposition': 'attachment; filename=job_file.zip' };
      const { job_id: jobId } = v.parse(
        Job,
        await call('POST', '/jobs/hpc_one/', 201, { headers }),
      );
      return { jobId, acceptedAt: performance.now() };
    },
    async register(address, events) {
      const body = JSON.stringify({ url: address, events });
      const headers = { 'content-type': 'application/json' };
      const made = await call('POST', '/webhooks/', 201, { headers, body });
      const { webhook_id: id } = v.parse(Webhook, made);
      return async () => void (await call('DELETE', `/webhooks/${id}/`, 200));
    },
  };
}
