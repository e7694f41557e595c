import { setTimeout as delay } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { end, openHome } from '../fixtures/edition.ts';
import { startReceiver } from '../fixtures/receiver.ts';
import { submitTo } from '../fixtures/service.ts';
import { recordRun } from '../setup/record-run.ts';

const jobs = 500;
const kills = 3;
const atOnce = 8;

/** What was under way when it was killed is taken up again when its lease has ended: six minutes at most. */
const patienceMs = 15 * 60 * 1000;

async function register(url: string, token: string, receiver: string): Promise<void> {
  const response = await fetch(`${url}/webhooks/`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url: receiver, events: ['job.submitted', 'job.ended'] }),
  });
  expect(response.status).toBe(201);
}

it(
  `tells of every one of ${jobs} jobs, though it is killed ${kills} times`,
  async () => {
    const began = performance.now();
    const told = { 'job.submitted': new Set<string>(), 'job.ended': new Set<string>() };
    const receiver = await startReceiver((response, { body }) => {
      const event: { type: keyof typeof told; data: { job_id: string } } = JSON.parse(body);
      told[event.type].add(event.data.job_id);
      response.end();
    });
    const home = openHome();
    const environment = { WEBHOOKS_TO_LOOPBACK: 'true', SIM_HOUR_SECONDS: '0.5' };
    let edition = await home.start(environment);
    await register(edition.url, edition.token, receiver.url);

    const accepted = new Set<string>();
    for (let kill = 0; kill <= kills; kill += 1) {
      const { url, token, child } = edition;
      const before = told['job.submitted'].size;
      const due = Math.ceil((jobs * (kill + 1)) / (kills + 1));
      const submitOn = async () => {
        while (accepted.size < due) {
          // What was not answered was not accepted: nobody waits for it.
          const answer = await submitTo(url, token).catch(() => undefined);
          if (answer?.status === 201) accepted.add(answer.body.job_id);
          else await delay(5);
        }
      };
      await Promise.all(Array.from({ length: atOnce }, submitOn));
      if (kill === kills) break;
      // In the middle of it: some of them have been told of, and some have not.
      await vi.waitUntil(() => told['job.submitted'].size > before, {
        timeout: 120_000,
        interval: 5,
      });
      await end(child, 'SIGKILL');
      edition = await home.start(environment);
    }

    const missing = (type: keyof typeof told) => [...accepted].filter((id) => !told[type].has(id));
    await vi
      .waitUntil(() => missing('job.submitted').length + missing('job.ended').length === 0, {
        timeout: patienceMs,
        interval: 500,
      })
      .catch(() => undefined);
    process.stdout.write(
      `${accepted.size} jobs, ${kills} kills: ${receiver.received.length} events arrived\n`,
    );
    expect({ submitted: missing('job.submitted'), ended: missing('job.ended') }).toEqual({
      submitted: [],
      ended: [],
    });
    recordRun({
      suite: 'kills',
      tried: [{ unit: 'jobs with webhooks', tried: accepted.size, survived: accepted.size }],
      figures: [`${kills} kills`, `${receiver.received.length} events arrived`],
      seconds: (performance.now() - began) / 1000,
    });
    await end(edition.child, 'SIGTERM');
  },
  2 * patienceMs,
);
