import { describe, expect, it } from 'vitest';
import { selectAll, selectPrefix, selectRange } from '#lib/table/reads.ts';

describe('a query of a partition', () => {
  it.each([
    { query: selectAll('A'), condition: 'PK = :PK', values: {} },
    {
      query: selectPrefix({ PK: 'A', prefix: 'B#' }),
      condition: 'PK = :PK AND begins_with(SK, :prefix)',
      values: { ':prefix': 'B#' },
    },
    {
      query: selectRange('A', { from: '1', to: '2' }),
      condition: 'PK = :PK AND SK BETWEEN :from AND :to',
      values: { ':from': '1', ':to': '2' },
    },
  ])('is strongly consistent, with the condition $condition', ({ query, condition, values }) => {
    expect(query).toEqual({
      KeyConditionExpression: condition,
      ExpressionAttributeValues: { ':PK': 'A', ...values },
      ConsistentRead: true,
    });
  });
});
