import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { ask } from '../ask.ts';
import { itNeeding, type Target } from '../target.ts';

const whole = v.pipe(v.number(), v.integer(), v.minValue(0));
const seconds = v.nullable(whole);

const numbers = {
  time_used: whole,
  jobs_ended: whole,
  jobs_failed: whole,
  jobs_cancelled: whole,
  queue_time_median: seconds,
  queue_time_p95: seconds,
  run_time_median: seconds,
  run_time_p95: seconds,
  time_asked: seconds,
};
const OwnRows = v.array(v.strictObject({ project_hpc: v.string(), month: v.string(), ...numbers }));
const UserRows = v.array(v.strictObject({ user: v.string(), ...numbers }));

export function reportsSuite(target: Target): void {
  describe('reports', () => {
    it("show one's own usage, as JSON and as CSV", async () => {
      const { token } = target.account();
      const path = '/usage/?by=system,month';
      const answer = await ask(target, { path, token });
      expect(answer.status).toBe(200);
      expect(v.is(OwnRows, answer.json), answer.text).toBe(true);
      const csv = await ask(target, { path, token, headers: { accept: 'text/csv' } });
      expect(csv.headers.get('content-type')).toMatch(/^text\/csv/);
      expect(csv.text.split('\r\n')[0]?.split(',')).toEqual([
        'project_hpc',
        'month',
        ...Object.keys(numbers),
      ]);
    });

    it.each(['by=user', 'by=day,month', 'since=yesterday', 'limit=1'])(
      'refuse %s for a caller',
      async (query) => {
        const { token } = target.account();
        const answer = await ask(target, { path: `/usage/?${query}`, token });
        expect(answer.status).toBe(400);
      },
    );

    itNeeding(target, 'administrator')("show administrators everybody's", async () => {
      const { token } = target.administrator();
      const path = '/admin/reports/usage/?by=user&limit=1000';
      const answer = await ask(target, { path, token });
      expect(answer.status).toBe(200);
      expect(v.is(UserRows, answer.json), answer.text).toBe(true);
    });
  });
}
