import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { Document } from '#tools/client/document.ts';
import { generatedFiles, listMethods } from '#tools/client/write-operations.ts';
import { operationTable } from '../../../client/src/generated/operation-table.ts';
import { createClient } from '../../../client/src/index.ts';

const file = new URL('../../../docs/openapi.json', import.meta.url);
const document = v.parse(Document, JSON.parse(readFileSync(file, 'utf8')));

function openClient(asked: string[]) {
  return createClient({
    baseUrl: 'https://slipway.test/',
    fetch: async (address, { method } = {}) => {
      asked.push(`${method} ${address}`);
      return Response.json([]);
    },
  });
}

describe('the generated code of the client', () => {
  const folder = new URL('../../../client/src/', import.meta.url);

  it.each(Object.entries(generatedFiles))(
    '%s matches docs/openapi.json (if not, run npm run describe)',
    (name, write) => {
      expect(readFileSync(new URL(name, folder), 'utf8')).toBe(write(document));
    },
  );
});

describe('the client', () => {
  it('has the operations of docs/openapi.json, and no others', () => {
    const table = Object.entries(operationTable).flatMap(([method, paths]) =>
      Object.entries(paths).map(([name, path]) => `${name}: ${method.replace('*', '')} ${path}`),
    );
    const described = listMethods(document).map(
      ({ name, method, path }) => `${name}: ${method} ${path}`,
    );
    expect(table.sort()).toEqual(described.sort());
  });

  it('has a method for each operation except those for running jobs and links in mails', () => {
    const shorter: Readonly<Record<string, string>> = {
      submitJob: 'submit',
      getFile: 'readFile',
      getProjectFile: 'readFile',
    };
    const transfers = ['fetchObject', 'sendObject', 'takeResults', 'sendOutput', 'tellFolder'];
    const forJobs = ['handOutInput', 'handOutScript', ...transfers];
    const named = Object.values(document.paths).flatMap((item) =>
      Object.values(item).map((operation) => operation['x-operation']),
    );
    const forMails = ['confirmEmail', 'unsubscribe'];
    const missing = named
      .filter((name) => ![...forJobs, ...forMails].includes(name))
      .filter((name) => !((shorter[name] ?? name) in openClient([])));
    expect(missing).toEqual([]);
  });

  it('builds the path from the given names, and puts the rest into the query', async () => {
    const asked: string[] = [];
    const client = openClient(asked);
    await client.listJobs();
    await client.listJobs({ hpc: 'hpc_one', terminal: true });
    await client.listQuotasOfUser({ user_id: '306328' });
    await client.listAllQuotas({ hpc: 'hpc_one', project: 'a', limit: 5 });
    expect(asked).toEqual([
      'GET https://slipway.test/jobs/',
      'GET https://slipway.test/jobs/hpc_one/?terminal=true',
      'GET https://slipway.test/admin/quotas/306328/',
      'GET https://slipway.test/admin/quotas/?hpc=hpc_one&project=a&limit=5',
    ]);
  });

  it('refuses an incomplete path, so that a ban on a system does not become a ban everywhere', () => {
    const asked: string[] = [];
    const half = { user_id: '306328', hpc: 'hpc_one', body: { reason: 'asked to stop' } };
    expect(() => openClient(asked).banUser(half)).toThrow("'project_name' is missing.");
    expect(asked).toEqual([]);
  });
});
