import { readFileSync } from 'node:fs';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, it } from 'vitest';
import { describedRouteNames, routes } from '#functions/routes.ts';
import { expandPath } from '#tools/description/expand-path.ts';
import { writeDescription } from '#tools/description/write-description.ts';

const kept = readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8');
const document = JSON.parse(kept);

describe('docs/openapi.json', () => {
  it('is what `npm run describe` makes, whatever catalog there is', async () => {
    expect(JSON.parse(await writeDescription())).toEqual(document);
  });

  it('has no finding of a linter, with its recommended rules', async () => {
    const config = await createConfig({ extends: ['recommended'] });
    const found = await lintFromString({ source: kept, absoluteRef: '/openapi.json', config });
    expect(found.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
  });

  it('describes each path of each route but its own under its method, and nothing else', () => {
    const template = (path: string) => path.replaceAll(/\{\w+\}/g, '{}').replace(/\/$/, '');
    const routed = describedRouteNames.flatMap((name) =>
      Object.values<string>(routes[name].paths).flatMap((path) =>
        expandPath(path).map((each) => `${routes[name].method} ${template(each.path)}`),
      ),
    );
    const described = Object.entries<object>(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${template(path)}`),
    );
    expect(described.sort()).toEqual([...new Set(routed)].sort());
  });

  it('gives each operation an id of its own, and a summary', () => {
    const operations = Object.values<Record<string, { operationId: string; summary: string }>>(
      document.paths,
    ).flatMap((item) => Object.values(item));
    const ids = operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(operations.filter(({ summary }) => !summary)).toEqual([]);
  });
});
