import { describe, expect, it, vi } from 'vitest';
import { shareTable } from '#lib/table/share-table.ts';
import { openTable } from '#lib/table/table.ts';

vi.stubEnv('AWS_REGION', 'eu-central-1');

describe('the table of the functions', () => {
  it('is opened once for each name', () => {
    expect(shareTable('one')).toBe(shareTable('one'));
    expect(shareTable('one').client).not.toBe(shareTable('two').client);
    expect(shareTable('two').name).toBe('two');
  });
});

describe('a table', () => {
  it('prepares nothing for a logger that is not there', () => {
    const { client } = openTable('one');
    const parts = client.middlewareStack.identify().join('\n');
    expect(parts).toContain('retryMiddleware');
    expect(parts).not.toContain('loggerMiddleware');
  });
});
