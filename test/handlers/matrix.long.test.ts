import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routes } from '#functions/routes.ts';
import { allowedMethods } from '#lib/http/routes/route.ts';
import type { Slashes } from '#local/gateway/start-gateway.ts';
import '../fixtures/captured-log.ts';
import { mockStorage } from '../fixtures/storage-mock.ts';
import { mockTable } from '../fixtures/table-mock.ts';
import { issuer } from '../setup/function-environment.ts';
import { recordRun } from '../setup/record-run.ts';
import { callerNames, identify, listBadTokens } from './matrix/callers.ts';
import { expectedFor, findShown, findWrong } from './matrix/cells.ts';
import { listRows, type Row, writeRequest } from './matrix/rows.ts';
import { type Asked, type MatrixWorld, openMatrixWorld } from './matrix/world.ts';

const mock = mockTable();
mockStorage();
const rows = listRows();

interface Form {
  readonly name: string;
  readonly write: (path: string) => string;
  /** The answer, if it is not the one of the path itself. */
  readonly answer?: string;
  readonly slashes?: Slashes;
}

/** Ways to write a path. A gateway hands paths on decoded, and without dot segments. */
const forms: readonly Form[] = [
  { name: 'as it is, where slashes are ignored', write: (path) => path, slashes: 'ignored' },
  { name: 'without its slash', write: (path) => path.replace(/\/$/, '') },
  {
    name: 'without its slash, where slashes are ignored',
    write: (path) => path.replace(/\/$/, ''),
    slashes: 'ignored',
  },
  { name: 'with letters encoded', write: (path) => path.replaceAll(/[a-z]/g, encodeLetter) },
  { name: 'with slashes encoded', write: (path) => `/${path.slice(1).replaceAll('/', '%2F')}` },
  { name: 'with a dot segment', write: (path) => `/.${path}` },
  { name: 'with a detour', write: (path) => `/x/..${path}` },
  { name: 'with a slash doubled', write: (path) => `/${path}`, answer: '404 path-not-found' },
  { name: 'with two slashes at its end', write: endTwice, answer: '404 path-not-found' },
  {
    name: 'in upper case',
    write: (path) => path.replace(/[a-z]/, upper),
    answer: '404 path-not-found',
  },
  { name: 'below another', write: (path) => `/x${path}`, answer: '404 path-not-found' },
  {
    name: 'with a NUL',
    write: (path) => path.replace(/[a-z]/, '$&%00'),
    answer: '404 path-not-found',
  },
];

const methods = ['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'OPTIONS', 'TRACE', 'get'];

describe('the matrix of routes, callers and forms of paths', () => {
  let world: MatrixWorld;
  const start = performance.now();
  const identities = identify(issuer);
  let cells = 0;
  beforeAll(async () => {
    world = await openMatrixWorld(mock);
  });
  afterAll(async () => {
    await world.close();
    recordRun({
      suite: 'matrix',
      tried: [{ unit: 'cells of routes and callers', tried: cells, survived: cells }],
      seconds: (performance.now() - start) / 1000,
      figures: [
        `${rows.length} paths with their methods, ${callerNames.length} kinds of callers, ${listBadTokens(issuer).length} bad tokens`,
      ],
    });
  });

  async function tryCell(asked: Asked, expected: string | undefined, slashes?: Slashes) {
    cells += 1;
    const answered = await world.ask(asked, slashes);
    return { answered, wrong: findWrong(expected, answered) };
  }

  it.each(forms)('holds for every path $name', async ({ write, answer, slashes }) => {
    const found: string[] = [];
    for (const row of rows) {
      const request = writeRequest(row, world);
      const [path = '', query] = request.url.split('?');
      const url = query === undefined ? write(path) : `${write(path)}?${query}`;
      for (const caller of callerNames) {
        const headers = { ...request.headers, ...identities[caller] };
        const expected = answer ?? expectedFor(row, caller);
        const { answered, wrong } = await tryCell({ ...request, url, headers }, expected, slashes);
        wrong.push(...findShown(caller, answered));
        found.push(...wrong.map((each) => `${row.method} ${url} as ${caller}: ${each}`));
      }
    }
    expect(found).toEqual([]);
  });

  it('refuses every bad token at every path', async () => {
    const found: string[] = [];
    const bad = listBadTokens(issuer);
    for (const row of rows.filter(({ isPublic }) => !isPublic)) {
      const request = writeRequest(row, world);
      for (const { name, headers } of bad) {
        const asked = { ...request, headers: { ...request.headers, ...headers } };
        const { wrong } = await tryCell(asked, '401 invalid-token');
        found.push(...wrong.map((each) => `${row.id} with ${name}: ${each}`));
      }
    }
    expect(found).toEqual([]);
  });

  it('answers HEAD as GET, without a body', async () => {
    const found: string[] = [];
    for (const row of rows.filter(({ method }) => method === 'GET')) {
      const request = { ...writeRequest(row, world), method: 'HEAD' };
      for (const caller of callerNames) {
        const headers = { ...request.headers, ...identities[caller] };
        const { answered } = await tryCell({ ...request, headers }, undefined);
        const status = expectedFor(row, caller)?.slice(0, 3);
        if (answered.outcome !== status || answered.body !== '') {
          found.push(`HEAD ${request.url} as ${caller}: ${answered.outcome} in place of ${status}`);
        }
      }
    }
    expect(found).toEqual([]);
  });

  it('refuses every other method to every caller', async () => {
    const found: string[] = [];
    const byPath = new Map(rows.map((row): [string, Row] => [row.template, row]));
    for (const row of byPath.values()) {
      const { url } = writeRequest(row, world);
      const [path = ''] = url.split('?');
      const known = allowedMethods(routes, path);
      for (const method of methods.filter((each) => !known.includes(each))) {
        for (const caller of callerNames) {
          const asked = { method, url, headers: identities[caller] };
          const { wrong } = await tryCell(asked, '405 method-not-allowed');
          found.push(...wrong.map((each) => `${method} ${url} as ${caller}: ${each}`));
        }
      }
    }
    expect(found).toEqual([]);
  });
});

function encodeLetter(letter: string): string {
  return `%${letter.charCodeAt(0).toString(16)}`;
}

function upper(letter: string): string {
  return letter.toUpperCase();
}

function endTwice(path: string): string {
  return `${path.replace(/\/$/, '')}//`;
}
