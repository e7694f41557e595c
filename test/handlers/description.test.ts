import { readFileSync } from 'node:fs';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { describe, expect, it } from 'vitest';
import { describedRouteNames, routes } from '#functions/routes.ts';
import { expandPath } from '#tools/description/expand-path.ts';
import { links } from '#tools/description/words/links.ts';
import { writeDescription } from '#tools/description/write-description.ts';
import { escapePart, findFaults } from '../fixtures/described-answers.ts';

const kept = readFileSync(new URL('../../docs/openapi.json', import.meta.url), 'utf8');
const document = JSON.parse(kept);

describe('docs/openapi.json', () => {
  it('is what `npm run describe` makes, whatever catalog there is', async () => {
    expect(JSON.parse(await writeDescription())).toEqual(document);
  });

  it('passes a linter with its recommended rules', async () => {
    // Paths end with a slash because those of the interface do.
    const rules = { 'no-path-trailing-slash': 'off' } as const;
    const config = await createConfig({ extends: ['recommended'], rules });
    const found = await lintFromString({ source: kept, absoluteRef: '/openapi.json', config });
    expect(found.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);
  });

  it('describes each path of each route but its own under its method, and nothing else', () => {
    const routed = describedRouteNames.flatMap((name) =>
      Object.values<string>(routes[name].paths).flatMap((path) =>
        expandPath(path).map((each) => `${routes[name].method} ${each.path}`),
      ),
    );
    const described = Object.entries<object>(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described.sort()).toEqual(routed.sort());
  });

  it('gives each operation an id of its own, and a summary', () => {
    const operations = Object.values<Record<string, { operationId: string; summary: string }>>(
      document.paths,
    ).flatMap((item) => Object.values(item));
    const ids = operations.map(({ operationId }) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(operations.filter(({ summary }) => !summary)).toEqual([]);
  });

  it('has examples that are what they are examples of', () => {
    const examples = listExamples(document);
    expect(examples.length).toBeGreaterThan(300);
    const faults = examples.flatMap(({ at, value }) =>
      findFaults(`${at}/schema`, value).map((fault) => `${at}: ${fault}`),
    );
    expect(faults).toEqual([]);
  });

  it('shows a Payload as text that holds JSON of its schema', () => {
    const payloads = Object.entries<Record<string, Operation>>(document.paths).flatMap(
      ([path, item]) =>
        Object.entries(item).flatMap(([method, { parameters = [] }]) =>
          parameters.flatMap(({ name, example }, index) =>
            name === 'Payload'
              ? [{ at: ['paths', path, method, 'parameters', index], example }]
              : [],
          ),
        ),
    );
    expect(payloads).toHaveLength(4);
    for (const { at, example } of payloads) {
      const schema = `/${at.map((part) => escapePart(String(part))).join('/')}/schema/contentSchema`;
      expect(findFaults(schema, JSON.parse(String(example)))).toEqual([]);
      expect(findFaults(schema, { nodes: '1' })).not.toEqual([]);
    }
  });

  it('has no schema that a generator of the suite cannot read', () => {
    const unread = listSchemas(document.components.schemas).filter(
      (schema) =>
        (Array.isArray(schema.type) && schema.type.filter((each) => each !== 'null').length > 1) ||
        ('const' in schema && schema.type !== 'string') ||
        (schema.type === 'object' && 'default' in schema),
    );
    expect(unread).toEqual([]);
  });

  it('describes JSON lines as text, and what each line is', () => {
    const bodies = Object.entries<Record<string, Operation>>(document.paths).flatMap(
      ([path, item]) =>
        Object.entries(item).flatMap(([method, { requestBody }]) => {
          const body = requestBody?.content['application/x-ndjson'];
          const parts = ['paths', path, method, 'requestBody', 'content', 'application/x-ndjson'];
          return body ? [{ body, at: `/${parts.map(escapePart).join('/')}` }] : [];
        }),
    );
    expect(bodies.map(({ at }) => at)).toHaveLength(2);
    for (const { body, at } of bodies) {
      const text = String(body.example);
      expect(findFaults(`${at}/schema`, `${text}${text}`)).toEqual([]);
      expect(findFaults(`${at}/schema`, {})).not.toEqual([]);
      for (const line of text.trimEnd().split('\n')) {
        expect(findFaults(`${at}/x-itemSchema`, JSON.parse(line))).toEqual([]);
      }
      expect(findFaults(`${at}/x-itemSchema`, {})).not.toEqual([]);
    }
  });

  it('shows an answer of each operation, and what is sent to it', () => {
    const operations = Object.values<Record<string, Operation>>(document.paths).flatMap((item) =>
      Object.values(item),
    );
    const silent = operations.filter(({ responses }) => !Object.values(responses).some(shows));
    expect(silent.map(({ operationId }) => operationId)).toEqual([]);
    const mute = operations.filter(
      ({ requestBody }) =>
        requestBody &&
        !Object.entries(requestBody.content).every(
          ([type, { example }]) =>
            example !== undefined || /^application\/(zip|octet-stream)$/.test(type),
        ),
    );
    expect(mute.map(({ operationId }) => operationId)).toEqual([]);
  });

  it('leads from answers to operations that have the parameters of its links', () => {
    const operations = Object.values<Record<string, Operation>>(document.paths).flatMap((item) =>
      Object.values(item),
    );
    const followed = operations.flatMap(({ responses }) =>
      Object.values(responses).flatMap((response) => Object.values(response.links ?? {})),
    );
    expect(followed.length).toBeGreaterThan(80);
    const astray = followed.filter(({ operationId, parameters }) => {
      const target = operations.find((each) => each.operationId === operationId);
      const names = (target?.parameters ?? []).map((each) => each.name);
      return !Object.keys(parameters).every((name) => names.includes(name.replace('header.', '')));
    });
    expect(astray).toEqual([]);
  });

  it('says which form the number of a user has, wherever one is sent', () => {
    const at = '/paths/~1admin~1projects~1{hpc}~1{project_name}~1leaders~1/put/requestBody/content';
    const schema = `${at}/application~1json/schema`;
    expect(findFaults(schema, { reason: 'a course', leaders: ['306328'] })).toEqual([]);
    expect(findFaults(schema, { reason: 'a course', leaders: ['0306328'] })).not.toEqual([]);
    expect(findFaults(schema, { reason: 'a course', leaders: [306_328] })).not.toEqual([]);
  });

  it('has a row of links for operations that it describes', () => {
    const ids = Object.values<Record<string, Operation>>(document.paths).flatMap((item) =>
      Object.values(item).map(({ operationId }) => operationId),
    );
    expect(Object.keys(links).filter((id) => !ids.includes(id))).toEqual([]);
  });

  it('shows each problem that it names', () => {
    for (const [names, { content }] of Object.entries<Response>(document.components.responses)) {
      for (const { examples = {} } of Object.values(content ?? {})) {
        expect(Object.keys(examples)).toEqual(names.split('.'));
      }
    }
  });
});

interface Content {
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, unknown>>;
}

interface Link {
  readonly operationId: string;
  readonly parameters: Readonly<Record<string, string>>;
}

interface Response {
  readonly links?: Readonly<Record<string, Link>>;
  readonly content?: Readonly<Record<string, Content>>;
  readonly headers?: object;
}

interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly example?: unknown }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Content>> };
  readonly responses: Readonly<Record<string, Response>>;
}

/** By its body, or where it has none by the header that says it all. */
function shows({ content, headers }: Response): boolean {
  return content === undefined
    ? headers !== undefined
    : Object.values(content).every(({ example }) => example !== undefined);
}

/** Lists the schemas within a node. The schema of a `not` needs no type of its own. */
function listSchemas(node: unknown): Readonly<Record<string, unknown>>[] {
  if (typeof node !== 'object' || node === null) return [];
  const inner = Object.entries(node).filter(([name]) => name !== 'not' && name !== 'example');
  return [Object(node), ...inner.flatMap(([, each]) => listSchemas(each))];
}

/** All examples that stand beside a schema, with the place that they share. */
function listExamples(node: unknown, at = ''): { at: string; value: unknown }[] {
  if (typeof node !== 'object' || node === null) return [];
  const { schema, example, examples = {} } = Object(node);
  const values = [
    ...(example === undefined ? [] : [example]),
    ...Object.values<{ value: unknown }>(examples).map(({ value }) => value),
  ];
  const own = schema === undefined ? [] : values.map((value) => ({ at, value }));
  const inner = Object.entries(node)
    .filter(([name]) => name !== 'example' && name !== 'examples' && name !== 'schema')
    .flatMap(([name, each]) => listExamples(each, `${at}/${escapePart(name)}`));
  return [...own, ...inner];
}
