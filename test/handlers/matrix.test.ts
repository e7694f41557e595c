import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { routeNames } from '#functions/routes.ts';
import '../fixtures/captured-log.ts';
import { mockStorage } from '../fixtures/storage-mock.ts';
import { mockTable } from '../fixtures/table-mock.ts';
import { issuer } from '../setup/function-environment.ts';
import { callerNames, identify, listBadTokens } from './matrix/callers.ts';
import { expectedFor, findGaps, findShown, findWrong } from './matrix/cells.ts';
import { listRows, writeRequest } from './matrix/rows.ts';
import { type MatrixWorld, openMatrixWorld } from './matrix/world.ts';

const mock = mockTable();
mockStorage();
const rows = listRows();

describe('the matrix of routes and callers', () => {
  let world: MatrixWorld;
  beforeAll(async () => {
    world = await openMatrixWorld(mock);
  });
  afterAll(() => world.close());

  it('says of every route what every caller gets', () => {
    expect(findGaps(rows)).toEqual([]);
    expect(new Set(rows.map(({ name }) => name))).toEqual(new Set(routeNames));
  });

  it('would not pass with a route or a caller that it does not know', () => {
    const [row] = rows.filter(({ id }) => id === 'GET /hpc/');
    if (!row) throw new Error('There is no such route.');
    const other = { ...row, id: 'GET /new/' };
    expect(findGaps([other], {})).toHaveLength(callerNames.length);
    expect(findGaps([row], { 'GET /hpc/': { 200: 'user user stranger' } })).toEqual([
      ...callerNames
        .filter((name) => name !== 'user')
        .map((name) => `GET /hpc/ does not say what ${name} gets.`),
      'GET /hpc/ says twice what user gets.',
      'GET /hpc/ names stranger, who is no caller.',
    ]);
    expect(findGaps([], { 'GET /old/': { 200: 'user' } })).toEqual(['GET /old/ is no route.']);
  });

  it('holds for every route and every caller', async () => {
    const identities = identify(issuer);
    const wrong: string[] = [];
    for (const row of rows) {
      const request = writeRequest(row, world);
      for (const caller of callerNames) {
        const headers = { ...request.headers, ...identities[caller] };
        const answered = await world.ask({ ...request, headers });
        const found = [
          ...findWrong(expectedFor(row, caller), answered),
          ...findShown(caller, answered),
        ];
        wrong.push(...found.map((each) => `${row.id} as ${caller}: ${each}`));
      }
    }
    expect(wrong).toEqual([]);
  });

  it('refuses every bad token at every route before anything is read', async () => {
    const wrong: string[] = [];
    const firsts = new Map(rows.toReversed().map((row) => [row.name, row]));
    for (const row of [...firsts.values()].filter(({ isPublic }) => !isPublic)) {
      const request = writeRequest(row, world);
      for (const { name, headers } of listBadTokens(issuer)) {
        const answered = await world.ask({
          ...request,
          headers: { ...request.headers, ...headers },
        });
        const found = findWrong('401 invalid-token', answered);
        wrong.push(...found.map((each) => `${row.id} with ${name}: ${each}`));
      }
    }
    expect(wrong).toEqual([]);
  });
});
