import { describe, expect, it } from 'vitest';
import { presentJob } from '#lib/http/presenters/present-job.ts';
import { created, ok, respond, seeOther } from '#lib/http/respond.ts';
import { jobFromItem } from '#lib/jobs/job.ts';
import { findUndeclared } from '#test/fixtures/declared-answers.ts';
import { hpcOne, jobItem } from '#test/fixtures/samples.ts';

const job = presentJob(jobFromItem(jobItem(hpcOne)));
const one = `/jobs/hpc_one/proj_hpc_one_01/${hpcOne.jobId}/`;
const file = `/files/hpc_one/proj_hpc_one_01/${hpcOne.jobId}/stdout/`;
const problem = {
  type: 'urn:slipway:problem:job-not-found',
  title: 'Unknown job',
  status: 404,
  detail: 'There is no such job.',
  instance: 'request-1',
};

describe('an answer as its route declares it', () => {
  it.each([
    { method: 'GET', path: one, response: ok(job) },
    { method: 'GET', path: '/jobs/', response: ok([job, job]) },
    { method: 'POST', path: '/jobs/hpc_one/', response: created(job, one) },
    { method: 'GET', path: file, response: seeOther('https://storage.test/') },
    { method: 'GET', path: one, response: respond(404, problem) },
    { method: 'GET', path: '/nothing/', response: respond(404, problem) },
  ])('passes: $method $path $response.statusCode', ({ method, path, response }) => {
    expect(findUndeclared(method, path, response)).toEqual([]);
  });

  const stageless = Object.fromEntries(Object.entries(job).filter(([name]) => name !== 'stage'));

  it.each([
    { what: 'a field that is missing', path: one, response: ok(stageless), found: 'stage' },
    { what: 'a field too many', path: one, response: ok({ ...job, held: 1 }), found: 'held' },
    { what: 'a field of another type', path: one, response: ok({ ...job, id: '1' }), found: 'id' },
    { what: 'a list for one', path: one, response: ok([job]), found: 'end_date' },
    { what: 'one for a list', path: '/jobs/', response: ok(job), found: 'body' },
    { what: 'another status', path: one, response: created(job, one), found: 'No operation' },
    { what: 'a path of nobody', path: '/nothing/', response: ok({}), found: 'No operation' },
    { what: 'a body behind a link', path: file, response: respond(303, {}), found: 'There is' },
    { what: 'JSON for a file', path: file, response: ok({}), found: 'These are' },
    {
      what: 'a refusal that is no problem',
      path: one,
      response: respond(404, { message: 'Not Found' }),
      found: 'type',
    },
  ])('is told from $what', ({ path, response, found }) => {
    const [first] = findUndeclared('GET', path, response);
    expect(first).toMatch(new RegExp(`^${found}`));
  });
});
