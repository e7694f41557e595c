import * as v from 'valibot';
import { describe, expect } from 'vitest';
import { JudgedRequest, QuotaRequest } from '#lib/http/answers/quota.ts';
import { type Answer, ask } from '../ask.ts';
import { expectProblem } from '../shapes.ts';
import { itNeeding, type Target } from '../target.ts';

/** Beyond the contract: users ask for more, administrators decide. */
export function requestsSuite(target: Target): void {
  describe('asking for more', () => {
    /** What is granted stays granted: only to users who are nobody's. */
    const itGranting = itNeeding(target, 'newcomer');

    const send = (token: string, method: string, path: string, body?: unknown) =>
      ask(target, {
        method,
        path,
        token,
        ...(body !== undefined && {
          body: JSON.stringify(body),
          headers: { 'content-type': 'application/json' },
        }),
      });

    function expectRequest({ status, json }: Answer, wanted: number, facts: object) {
      expect(status).toBe(wanted);
      const request = v.parse(v.union([QuotaRequest, JudgedRequest]), json);
      expect(request).toMatchObject(facts);
      return request;
    }

    const expectNamed = (answer: Answer, status: number, name: string) =>
      expect(expectProblem(answer, status).type).toBe(`urn:slipway:problem:${name}`);

    itGranting('opens one request in a project, and grants what was approved', async () => {
      const { user, token } = target.account();
      const administrator = target.administrator();
      const wish = {
        hpc: 'hpc_two',
        project_name: 'proj_hpc_two_02',
        time: 7200,
        reason: 'a course',
      };
      const asked = await send(token, 'POST', '/requests/', wish);
      const { request_id: id } = expectRequest(asked, 201, { user, state: 'open', time: 7200 });
      expect(asked.headers.get('location')).toBe(`${target.url}/requests/${id}/`);
      const again = await send(token, 'POST', '/requests/', wish);
      expectNamed(again, 409, 'request-open');
      expect(again.json).toMatchObject({ request_id: id });

      const decide = (what: string) =>
        send(administrator.token, 'PUT', `/admin/requests/${id}/${what}/`, {
          reason: 'as every year',
        });
      expectNamed(await send(token, 'GET', '/admin/requests/'), 403, 'not-administrator');
      const decision = { by: administrator.user, time: 7200, space: 0 };
      expectRequest(await decide('approve'), 200, { state: 'approved', decision });
      expectNamed(await decide('decline'), 409, 'request-ended');
      expectNamed(await send(token, 'DELETE', `/requests/${id}/`), 409, 'request-ended');
      const { json: quota } = await send(token, 'GET', '/quotas/hpc_two/proj_hpc_two_02/');
      expect(quota).toMatchObject({ time_left: 7200, space_left: 0 });

      const next = await send(token, 'POST', '/requests/', wish);
      const { request_id: second } = expectRequest(next, 201, { state: 'open' });
      const withdraw = () => send(token, 'DELETE', `/requests/${second}/`);
      const withdrawn = await withdraw();
      expectRequest(withdrawn, 200, { state: 'withdrawn', decision: null });
      expect((await withdraw()).text).toBe(withdrawn.text);
      const { json: all } = await send(token, 'GET', '/requests/');
      expect(v.parse(v.array(QuotaRequest), all).map(({ request_id }) => request_id)).toEqual([
        id,
        second,
      ]);
    });
  });
}
