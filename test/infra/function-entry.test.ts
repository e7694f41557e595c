import { describe, expect, it } from 'vitest';
import { routeNames, routes } from '#functions/routes.ts';
import { functionEntry } from '#infra/constructs/functions/bundle-options.ts';
import { gatewayKeys } from '#lib/http/routes/gateway-keys.ts';
import { matchOperation } from '#lib/http/routes/route.ts';

describe('the beginning of a function', () => {
  it('is its file', () => {
    const { stdin } = functionEntry('jobs/read-jobs');
    expect(stdin.resolveDir).toMatch(/\/functions$/);
    expect(stdin.contents.split('\n').at(-1)).toBe(
      "export { handler } from './jobs/read-jobs.ts';",
    );
  });

  it.each(['jobs/read-jobs', 'fallback'])('maps stacks before all else: %s', (file) => {
    const [first] = functionEntry(file).stdin.contents.split('\n');
    expect(first).toBe("import '#lib/telemetry/map-stacks.ts';");
  });

  it('is nowhere without one', () => {
    expect(() => functionEntry('jobs/lost')).toThrow('There is no function in');
  });

  it('of $default imports the handlers of the routes that can fall to it, and of no others', () => {
    const { stdin } = functionEntry('bare');
    const text = stdin.contents;
    const imported = routeNames.filter((name) => text.includes(`'./${routes[name].file}.ts'`));
    const fallsToIt = routeNames.filter((name) => {
      const [key = ''] = gatewayKeys(routes[name]);
      const base = key.replace(/^\w+ /, '').replace('/{proxy+}', '');
      return matchOperation(routes[name], `${base}/`) !== undefined;
    });
    expect(imported).toEqual(fallsToIt);
    expect(imported).toContain('read-jobs');
    expect(imported).not.toContain('read-files');
    const served = imported.map((name, index) => `'${name}': handler${index}`).join(', ');
    expect(text).toContain(`export const handlers = { ${served} };`);
    const names = JSON.stringify(imported);
    expect(functionEntry('fallback').stdin.contents).toContain(`const names = ${names};`);
  });
});
