import { describe, expect, it } from 'vitest';
import { routeNames, routes } from '#functions/routes.ts';
import { functionEntry } from '#infra/constructs/functions/function-entry.ts';

describe('the beginning of a function', () => {
  it('is its file', () => {
    const { entryPoints = [] } = functionEntry('jobs/read-jobs');
    expect(entryPoints).toEqual([expect.stringMatching(/\/functions\/jobs\/read-jobs\.ts$/)]);
  });

  it('is nowhere without one', () => {
    expect(() => functionEntry('jobs/lost')).toThrow('There is no function in');
  });

  it('of $default imports the handlers of the routes that can fall to it, and of no others', () => {
    const { stdin } = functionEntry('fallback');
    const text = stdin?.contents ?? '';
    const imported = routeNames.filter((name) => text.includes(`'./${routes[name].file}.ts'`));
    expect(imported).toEqual([
      'read-jobs',
      'create-upload',
      'read-quotas',
      'read-all-quotas',
      'read-audit',
      'read-users',
      'read-all-jobs',
      'read-webhooks',
      'create-webhook',
      'list-systems',
      'read-projects',
      'read-status',
    ]);
    const served = imported.map((name, index) => `'${name}': handler${index}`).join(', ');
    expect(text).toContain(`export const handler = fallbackHandler({ ${served} });`);
  });
});
