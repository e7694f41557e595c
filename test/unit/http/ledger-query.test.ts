import { describe, expect, it } from 'vitest';
import { ledgerQuery } from '#lib/http/parsers/queries/quota-queries.ts';
import { readQuery } from '#lib/http/parsers/read-request.ts';
import { outputOf, problemsOf } from '#test/fixtures/problems-of.ts';

const now = new Date('2026-03-01T12:00:00Z');

function parse(query: string) {
  return outputOf(readQuery(ledgerQuery(now), { rawQueryString: query }));
}

describe('the query of a ledger', () => {
  it('asks for 100 lines of all times where nothing else is said', () => {
    const period = { since: undefined, until: undefined };
    expect(parse('')).toEqual({ kind: 'lines', period, limit: 100, cursor: undefined });
  });

  it('takes a limit, a cursor and whole days', () => {
    expect(parse('limit=1000&cursor=x.y&since=2026-01-31&until=2026-02-01')).toEqual({
      kind: 'lines',
      period: {
        since: new Date('2026-01-31T00:00:00Z'),
        until: new Date('2026-02-01T23:59:59.999Z'),
      },
      limit: 1000,
      cursor: 'x.y',
    });
  });

  it.each([
    { query: 'sum=day', since: '2026-01-30T00:00:00Z', until: undefined },
    { query: 'sum=job', since: '2026-01-30T00:00:00Z', until: undefined },
    { query: 'sum=day&since=2025-01-01', since: '2025-01-01T00:00:00Z', until: undefined },
    {
      query: 'sum=day&until=2026-01-31T00:00:00Z',
      since: '2026-01-01T00:00:00Z',
      until: '2026-01-31T00:00:00Z',
    },
  ])('sums 31 whole days unless another period is named: $query', ({ query, since, until }) => {
    expect(parse(query)).toEqual({
      kind: 'sums',
      per: query.slice(4, 7),
      period: { since: new Date(since), until: until && new Date(until) },
    });
  });

  const whole = 'It cannot be used with sum: sums do not come in pages.';
  it.each([
    { query: 'sum=week', problems: [['sum', 'It must be day or job.']] },
    { query: 'sum=day&limit=5', problems: [['limit', whole]] },
    {
      query: 'sum=job&limit=5&cursor=x',
      problems: [
        ['limit', whole],
        ['cursor', whole],
      ],
    },
    { query: 'limit=0', problems: [['limit', 'It must be at least 1.']] },
    { query: 'limit=1001', problems: [['limit', 'It must be at most 1000.']] },
    {
      query: 'order=asc',
      problems: [
        ['order', 'Unknown parameter. Known parameters: limit, cursor, since, until, sum.'],
      ],
    },
  ])('refuses $query', ({ query, problems }) => {
    expect(problemsOf(() => parse(query))).toEqual(
      problems.map(([name, message]) => ({ location: 'query', name, message })),
    );
  });
});
