import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { ReportRow } from '#lib/http/answers/quota.ts';
import { ask } from '../ask.ts';
import { itNeeding, type Target } from '../target.ts';

const OwnRows = v.array(
  v.required(v.omit(ReportRow, ['user', 'project_name', 'day']), ['project_hpc', 'month']),
);
const UserRows = v.array(
  v.required(v.omit(ReportRow, ['project_hpc', 'project_name', 'day', 'month']), ['user']),
);
const dimensions = ['user', 'name', 'project_hpc', 'project_name', 'day', 'month'];
const numbers = Object.keys(ReportRow.entries).filter((name) => !dimensions.includes(name));

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
      expect(csv.text.split('\r\n')[0]?.split(',')).toEqual(['project_hpc', 'month', ...numbers]);
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
