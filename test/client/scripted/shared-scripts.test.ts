import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { ServiceUnreachable, SlipwayProblem } from '../../../client/src/index.ts';
import { batch, cutOff, job, refuse, scriptClient } from '../fixtures/scripted-client.ts';
import scripts from '../fixtures/scripts.json' with { type: 'json' };

/** python/tests/test_scripts.py plays the same scripts. */
const Script = v.object({
  name: v.string(),
  call: v.string(),
  answers: v.array(
    v.object({
      cut: v.optional(v.boolean()),
      status: v.optional(v.number(), 0),
      problem: v.optional(v.string()),
      text: v.optional(v.string()),
      json: v.optional(v.unknown()),
      headers: v.optional(v.record(v.string(), v.string()), {}),
    }),
  ),
  asked: v.number(),
  pauses: v.optional(v.array(v.tuple([v.number(), v.number()]))),
  keys: v.optional(v.number()),
  paths: v.optional(v.array(v.string())),
  items: v.optional(v.number()),
  fails: v.optional(v.string()),
  message: v.optional(v.string()),
  retryAfter: v.optional(v.number()),
});

type ScriptedAnswer = v.InferOutput<typeof Script>['answers'][number];
type Client = ReturnType<typeof scriptClient>['client'];

const place = { hpc: 'hpc_one', project_name: 'proj_hpc_one_01' };
const submission = { hpc: 'hpc_one', command: 'ls', nodes: 1, cores: 1, runtime: 1 };

async function listAll(client: Client): Promise<unknown[]> {
  const items: unknown[] = [];
  for await (const each of client.listJobs()) items.push(each);
  return items;
}

const calls: Readonly<Record<string, (client: Client) => Promise<unknown>>> = {
  'list-systems': (client) => client.listSystems(),
  'list-jobs': listAll,
  submit: (client) => client.submit(submission),
  'submit-batch': (client) => client.submitBatch({ ...submission, count: 3 }),
  'repeat-failed': (client) => client.repeatFailed({ ...place, batch_id: batch.batch_id }),
  cancel: (client) => client.deleteJob({ ...place, job_id: job.job_id, only: 'cancel' }),
  'grant-that-adds': (client) =>
    client.grantQuota({
      ...place,
      user_id: '306328',
      body: { reason: 'why', add: { time: 1 } },
    }),
  'create-webhook': (client) => client.createWebhook({ body: { url: 'https://a.example' } }),
};

function fill(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(fill);
  if (json === 'job') return job;
  return json === 'batch' ? batch : json;
}

function toAnswer({ cut, status, problem, text, json, headers }: ScriptedAnswer): Response | Error {
  if (cut) return cutOff;
  // The platform's fetch refuses redirects by itself.
  if (status >= 300 && status < 400) return cutOff;
  if (problem !== undefined) return refuse(status, problem, headers);
  if (text !== undefined) return new Response(text, { status, headers });
  return Response.json(fill(json), { status, headers });
}

describe('a client before scripted answers', () => {
  it.each(v.parse(v.array(Script), scripts))('$name', async (script) => {
    const { client, asked, pauses } = scriptClient(script.answers.map(toAnswer));
    const outcome: unknown = await calls[script.call]?.(client).catch((error: unknown) => error);
    expect(asked).toHaveLength(script.asked);
    if (script.fails === undefined) expect(outcome).not.toBeInstanceOf(Error);
    else expect(nameOf(outcome)).toBe(script.fails);
    if (script.message !== undefined) expect(outcome).toMatchObject({ message: script.message });
    if (script.retryAfter !== undefined) {
      expect(outcome).toMatchObject({ retryAfter: script.retryAfter });
    }
    if (script.items !== undefined) expect(outcome).toHaveLength(script.items);
    if (script.paths) expect(asked.map(({ path }) => path)).toEqual(script.paths);
    if (script.keys !== undefined) {
      const keys = asked.map(({ headers }) => headers.get('idempotency-key'));
      expect(new Set(keys).size).toBe(script.keys);
      expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
    }
    for (const [index, [least, most]] of (script.pauses ?? []).entries()) {
      expect(pauses[index]).toBeGreaterThanOrEqual(least * 1000);
      expect(pauses[index]).toBeLessThanOrEqual(most * 1000);
    }
    if (script.pauses) expect(pauses).toHaveLength(script.pauses.length);
  });
});

function nameOf(error: unknown): string {
  if (error instanceof ServiceUnreachable) return 'ServiceUnreachable';
  return error instanceof SlipwayProblem ? error.name : String(error);
}
