import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { userId } from '#test/fixtures/names.ts';
import { engines } from '../engines/engines.ts';
import { seedJobs } from '../fixtures/jobs.ts';
import {
  type Answer,
  get,
  type JobBody,
  type ServiceOnEngine,
  startServiceOn,
  submit,
} from '../fixtures/service.ts';

const user = userId('10000');

/** Several pages of the table, which ends one at a megabyte. */
const seeded = 10_000;

/** Follows `Link` from page to page, at most `maxPages` times. */
async function followLinks(first: string, token: string, maxPages: number): Promise<JobBody[][]> {
  const pages: JobBody[][] = [];
  let next: string | undefined = first;
  while (next !== undefined) {
    expect(pages.length).toBeLessThan(maxPages);
    const page = await getPage(next, token);
    expect(page).toMatchObject({ status: 200 });
    pages.push(page.body);
    next = /^<(.+)>; rel="next"$/.exec(page.headers.get('link') ?? '')?.[1];
  }
  return pages;
}

/**
 * A page of thousands of jobs may take longer than a function has, on a machine that others use. The
 * service says so and when to come again, as its clients do: a few times at most.
 */
async function getPage(url: string, token: string): Promise<Answer<JobBody[]>> {
  for (let tries = 1; ; tries += 1) {
    const page = await get<JobBody[]>(url, token);
    const after = Number(page.headers.get('retry-after') ?? 0);
    if (page.status !== 503 || after === 0 || tries === 3) return page;
    await sleep(after * 1000);
  }
}

function idsFrom(first: number, last: number, step = 1): number[] {
  return Array.from({ length: Math.floor((last - first) / step) + 1 }, (_, n) => first + n * step);
}

describe.each(engines.filter(({ available }) => available))(
  'a list of 10,000 jobs on $name',
  (engine) => {
    let running: ServiceOnEngine;
    let token: string;
    beforeAll(async () => {
      running = await startServiceOn(engine);
      await seedJobs(running.table, user, 1, seeded);
      await liftCounter(running, seeded);
      token = running.service.issuer.issueToken({ user });
    });
    afterAll(() => running.close());

    it('comes back whole by following Link while others submit', async () => {
      const { service } = running;
      const others = ['77', user].map((owner) => service.issuer.issueToken({ user: owner }));
      let listing = true;
      const submitting = (async () => {
        let accepted = 0;
        while (listing && accepted < 200) {
          const answers = await Promise.all(others.map((other) => submit(service, other)));
          for (const { status } of answers) expect(status).toBe(201);
          accepted += 1;
        }
        return accepted;
      })();

      const pages = await followLinks(`${service.url}/jobs/?limit=500`, token, 60);
      listing = false;

      expect(await submitting).toBeGreaterThan(0);
      const ids = pages.flat().map(({ id }) => id);
      expect(ids.slice(0, seeded)).toEqual(idsFrom(1, seeded));
      expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
    });

    it('comes back whole without a limit, and in turned order', async () => {
      const { service } = running;
      const before = `until=2020-01-01`;
      const all = await followLinks(`${service.url}/jobs/?${before}`, token, 10);
      expect(all.flat().map(({ id }) => id)).toEqual(idsFrom(1, seeded));
      const turned = await followLinks(
        `${service.url}/jobs/hpc_one/?${before}&order=desc&limit=1000`,
        token,
        20,
      );
      expect(turned.flat().map(({ id }) => id)).toEqual(idsFrom(1, seeded - 1, 2).reverse());
    });
  },
);

/** Seeding went past the counter, which must not hand out their numbers again. */
async function liftCounter({ table }: ServiceOnEngine, count: number): Promise<void> {
  const { takeNumbers } = await import('#lib/table/counter.ts');
  await takeNumbers(table, 'job', count);
}
