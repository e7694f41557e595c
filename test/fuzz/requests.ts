import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import {
  type DescribedBody,
  type DescribedOperation,
  type DescribedParameter,
  describedApi,
} from './described-api.ts';
import { fromSchema, hostileText, jsonText, mostly, refer } from './values.ts';
import { zip } from './zips.ts';

/** A request before the names of earlier answers are filled in. */
export interface WrittenRequest {
  /** The operation that it was made from, or the kind of request. */
  readonly from: string;
  readonly caller: string;
  readonly method: string;
  /** With its query. An address with a scheme is one that the service signed. */
  readonly path: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body?: Buffer | undefined;
}

/** Who asks. The world makes a token for each (world.ts). */
const callers = [
  'ada',
  'bob',
  'administrator',
  'leader',
  'banned',
  'poor',
  'newcomer',
  'nobody',
  'forger',
] as const;

const anyCaller = fc.oneof(
  { weight: 8, arbitrary: fc.constant('ada') },
  { weight: 3, arbitrary: fc.constantFrom(...callers) },
);
const administrators = fc.oneof(
  { weight: 6, arbitrary: fc.constant('administrator') },
  { weight: 2, arbitrary: fc.constant('leader') },
  { weight: 1, arbitrary: fc.constantFrom(...callers) },
);

type Pair = readonly [string, string];

/** Requests to an operation as it is described, most of them with at most one fault. */
function requestsTo(operation: DescribedOperation): fc.Arbitrary<WrittenRequest> {
  const { id, method, path, parameters, bodies } = operation;
  return fc
    .tuple(
      path.startsWith('/admin/') ? administrators : anyCaller,
      passOf(path) === undefined ? pathOf(path) : withPass(path),
      queryOf(parameters.filter((each) => each.in === 'query' && !ofPass.includes(each.name))),
      headersOf(parameters.filter((each) => each.in === 'header')),
      bodyOf(bodies),
      fault,
    )
    .map(([caller, filled, query, headers, [type, body], spoil]) =>
      spoil({
        from: id,
        caller,
        method,
        path: query === '' ? filled : `${filled}${filled.includes('?') ? '&' : '?'}${query}`,
        headers: [...headers, ...(type === '' ? [] : [['content-type', type] as const])],
        body,
      }),
    );
}

const places = [
  { hpc: 'hpc_one', project_name: 'proj_hpc_one_01' },
  { hpc: 'hpc_two', project_name: 'proj_hpc_two_01' },
  { hpc: 'hpc_two', project_name: 'fuzz_b' },
  { hpc: 'hpc_three', project_name: 'proj_hpc_three_01' },
] as const;

/** Returns the kind of pass that a path needs: `/handover/{job_id}/input/` needs one for input. */
function passOf(path: string): string | undefined {
  const purpose = /^\/(?:handover\/\{job_id\}|mail)\/(\w+)\/$/.exec(path)?.[1];
  return purpose && `pass_${purpose}`;
}

/** Fills the names of a path in: things that belong together, or each at random. */
function pathOf(path: string): fc.Arbitrary<string> {
  const passed = passOf(path);
  const kind = /\{(job|batch)_id\}/.exec(path)?.[1];
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const together = fc.tuple(fc.nat(999), fc.record(valuesOf(names))).map(([nth, values]) =>
    fill(path, {
      ...values,
      ...(kind && {
        hpc: `«${kind}:${nth}:hpc»`,
        project_name: `«${kind}:${nth}:project»`,
        [`${kind}_id`]: `«${kind}:${nth}:id»`,
      }),
      ...(path.includes('{delivery_id}') && {
        webhook_id: `«delivery:${nth}:webhook»`,
        delivery_id: `«delivery:${nth}:id»`,
      }),
      ...(!kind && path.includes('{project_name}') && places[nth % places.length]),
      ...(passed !== undefined && { job_id: `«${passed}:${nth}:job»` }),
    }),
  );
  const apart = fc.record(valuesOf(names)).map((values) => fill(path, values));
  return mostly(together, apart, 5);
}

/** Parameters that go with the job of a path. */
const ofPass = ['pass', 'run'];

/**
 * A pass belongs to the job of its path. It stands in the query, and beside it the run that asks
 * for a script, which simulated systems name as the job.
 */
function withPass(path: string): fc.Arbitrary<string> {
  const kind = passOf(path);
  const run = mostly(fc.constant<string | undefined>(undefined), hostileText, 5);
  return fc
    .tuple(pathOf(path), fc.nat(999), fc.constantFrom('', '', '', ':changed50'), run)
    .map(([filled, draw, change, otherRun]) => {
      const nth = /:(\d+):job»/.exec(filled)?.[1] ?? draw;
      const ownRun = `«${kind}:${nth}:job»`;
      const asking =
        kind === 'pass_script'
          ? `&run=${otherRun === undefined ? ownRun : encodeLoosely(otherRun)}`
          : '';
      return `${filled}?pass=«${kind}:${nth}:id${change}»${asking}`;
    });
}

function valuesOf(names: readonly string[]): Record<string, fc.Arbitrary<string>> {
  return Object.fromEntries(
    names.map((name) => [
      name,
      fromSchema({ type: 'string' }, name)
        .map(writeValue)
        .map((text) => (/^«.*»$/.test(text) ? text : encodeLoosely(text))),
    ]),
  );
}

function fill(path: string, values: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name) => values[name] ?? '');
}

/** Keeps percent signs, so that what is encoded wrongly stays wrong. */
function encodeLoosely(text: string): string {
  return text.replaceAll(/[^\w.~%-]/gu, (character) => {
    try {
      return encodeURIComponent(character);
    } catch {
      return '%ED%A0%80';
    }
  });
}

function queryOf(parameters: readonly DescribedParameter[]): fc.Arbitrary<string> {
  const described = parameters.map((parameter) =>
    fc
      .tuple(
        parameter.required ? fc.constant(true) : fc.nat(4).map((draw) => draw === 0),
        fromSchema(parameter.schema, parameter.name),
      )
      .map(([isThere, value]) => (isThere ? [pair(parameter.name, value)] : [])),
  );
  const more = mostly(
    fc.constant<string[]>([]),
    fc.array(
      fc.tuple(hostileText, hostileText).map(([name, value]) => pair(name, value)),
      { minLength: 1, maxLength: 3 },
    ),
    25,
  );
  return fc
    .tuple(fc.tuple(...described), more, mostly(fc.constant(false), fc.constant(true), 30))
    .map(([pairs, others, twice]) => {
      const all = [...pairs.flat(), ...others];
      return [...all, ...(twice ? all : [])].join('&');
    });
}

/** Objects may bring a `toString` of their own. */
function writeValue(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function pair(name: string, value: unknown): string {
  const text = writeValue(value);
  return `${encodeLoosely(name)}=${/^«.*»$/.test(text) ? text : encodeLoosely(text)}`;
}

function headersOf(parameters: readonly DescribedParameter[]): fc.Arbitrary<Pair[]> {
  const described = parameters.map((parameter) => {
    const isJson = '$ref' in parameter.schema;
    const value = isJson
      ? jsonText(fromSchema(parameter.schema, parameter.name))
      : fromSchema(parameter.schema, parameter.name).map(writeValue);
    const isThere = parameter.required
      ? mostly(fc.constant(true), fc.constant(false), 30)
      : fc.nat(9).map((draw) => draw === 0);
    return fc
      .tuple(isThere, value)
      .map(([there, text]): Pair[] => (there ? [[parameter.name, text]] : []));
  });
  return fc
    .tuple(fc.tuple(...described), extraHeaders)
    .map(([pairs, more]) => [...pairs.flat(), ...more]);
}

const extraHeaders: fc.Arbitrary<Pair[]> = mostly(
  fc.constant<Pair[]>([]),
  fc.array(
    fc.oneof(
      fc.constantFrom<Pair>(
        ['accept', 'text/html'],
        ['accept', 'text/csv'],
        ['accept', '*/*;q=0, application/json;q=zero'],
        ['accept-encoding', 'gzip, br'],
        ['content-encoding', 'gzip'],
        ['if-none-match', '*'],
        ['if-none-match', 'W/"x", "y'],
        ['if-modified-since', 'yesterday'],
        ['range', 'bytes=0-0,-1,5-2'],
        ['origin', 'https://evil.example'],
        ['origin', 'null'],
        ['x-forwarded-host', 'evil.example'],
        ['x-forwarded-proto', 'gopher'],
        ['x-http-method-override', 'DELETE'],
        ['cookie', 'a=b'],
        ['expect', '100-continue'],
        ['authorization', 'Basic YTpi'],
        ['authorization', 'Bearer a.b.c'],
        ['payload', '{}'],
        ['idempotency-key', 'a key'],
        ['upload-id', '../x'],
      ),
      fc.tuple(
        fc.constantFrom('payload', 'content-disposition', 'idempotency-key', 'upload-id', 'accept'),
        hostileText,
      ),
      hostileText.map((value): Pair => ['x-padding', value.repeat(20).slice(0, 11_000)]),
    ),
    { minLength: 1, maxLength: 2 },
  ),
  8,
);

type TypedBody = readonly [type: string, body: Buffer | undefined];

const hostileBody: fc.Arbitrary<TypedBody> = fc.oneof(
  fc.tuple(
    fc.constantFrom(
      'application/json',
      'application/json; charset=utf-16',
      'text/csv',
      'application/x-ndjson',
      'multipart/form-data; boundary=x',
      'application/x-www-form-urlencoded',
      'application/zip',
      '',
    ),
    fc.oneof(
      hostileText.map((text) => Buffer.from(text)),
      fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
      zip,
    ),
  ),
  fc.constant<TypedBody>(['application/json', gzipSync('{"reason":"x"}')]),
);

function bodyOf(bodies: readonly DescribedBody[]): fc.Arbitrary<TypedBody> {
  const none = fc.constant<TypedBody>(['', undefined]);
  if (bodies.length === 0) return mostly(none, hostileBody, 30);
  const good = fc.oneof(
    ...bodies.map((body) => goodBody(body).map((bytes): TypedBody => [body.type, bytes])),
  );
  return mostly(good, fc.oneof(none, hostileBody), 12);
}

function goodBody({ type, schema, itemSchema, example }: DescribedBody): fc.Arbitrary<Buffer> {
  if (type === 'application/zip') return zip;
  if (type === 'text/csv') return csvLike(String(example)).map((text) => Buffer.from(text));
  if (itemSchema) {
    const line = jsonText(fromSchema(itemSchema));
    return fc
      .array(line, { minLength: 1, maxLength: 6 })
      .map((lines) => Buffer.from(lines.join('\n')));
  }
  if (schema) return jsonText(fromSchema(schema)).map((text) => Buffer.from(text));
  return fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes));
}

/** The example of the description, with cells replaced. */
function csvLike(example: string): fc.Arbitrary<string> {
  const rows = example.trim().split('\n');
  const [heads = '', ...others] = rows;
  const cell = fc.oneof(
    { weight: 6, arbitrary: fc.constant<string | undefined>(undefined) },
    { weight: 1, arbitrary: fc.oneof(hostileText, refer('target', 'id')) },
  );
  const columns = heads.split(',').length;
  return fc
    .array(fc.array(cell, { minLength: columns, maxLength: columns }), {
      minLength: 1,
      maxLength: 5,
    })
    .map((changes) => {
      const [good = ''] = others;
      const cells = good.split(',');
      const lines = changes.map((row) => cells.map((old, at) => row[at] ?? old).join(','));
      return [heads, ...lines, ''].join('\n');
    });
}

type Fault = (request: WrittenRequest) => WrittenRequest;

const onPath =
  (change: (path: string) => string): Fault =>
  (request) => {
    const [path = '', ...query] = request.path.split('?');
    return { ...request, path: [change(path), ...query].join('?') };
  };

const pathFaults: readonly Fault[] = [
  (path: string) => path.replace(/\/$/, ''),
  (path: string) => `${path}/`,
  (path: string) => path.replace('/', '//'),
  (path: string) => path.replace(/\/([^/]+)/, '/./$1'),
  (path: string) => `${path}../`,
  (path: string) => `${path}%2e%2e/`,
  (path: string) => path.replaceAll('/', '%2f'),
  (path: string) => path.replace(/[a-z]/, (letter) => letter.toUpperCase()),
  (path: string) => path.replace(/[a-z]/, (letter) => `%${letter.charCodeAt(0).toString(16)}`),
  (path: string) => `${path}%00`,
  (path: string) => `${path}%ff/`,
  (path: string) => `${path};x=1/`,
  (path: string) => `/x${path}`,
  (path: string) => path.split('/').slice(0, -2).join('/'),
  (path: string) => `${path}${'a/'.repeat(50)}`,
].map(onPath);

const methodFaults: readonly Fault[] = [
  'HEAD',
  'OPTIONS',
  'GET',
  'POST',
  'PUT',
  'DELETE',
  'PATCH',
  'TRACE',
  'PROPFIND',
].map((method) => (request) => ({ ...request, method }));

const fault: fc.Arbitrary<Fault> = fc.oneof(
  { weight: 30, arbitrary: fc.constant<Fault>((request) => request) },
  { weight: 3, arbitrary: fc.constantFrom(...pathFaults) },
  { weight: 2, arbitrary: fc.constantFrom(...methodFaults) },
  {
    weight: 1,
    arbitrary: fc.constantFrom<Fault>(
      (request) => ({ ...request, headers: [...request.headers, ...request.headers] }),
      (request) => ({ ...request, headers: [] }),
      (request) => ({ ...request, path: `${request.path}?${request.path}` }),
      (request) => ({
        ...request,
        body: request.body && Buffer.concat([request.body, request.body]),
      }),
    ),
  },
);

/** Follows the `Link` of an earlier page, as it is or tampered with. */
const links: fc.Arbitrary<WrittenRequest> = fc
  .tuple(
    fc.oneof(refer('link', 'path'), refer('link', 'path', 'changed')),
    refer('link', 'caller'),
    mostly(fc.constant(true), fc.constant(false), 3),
    fc.constantFrom(...callers),
  )
  .map(([path, own, isOwn, other]) => ({
    from: 'a link to a page',
    caller: isOwn ? own : other,
    method: 'GET',
    path,
    headers: [],
  }));

/** Uses addresses that the service signed, as they are or tampered with. */
const signed: fc.Arbitrary<WrittenRequest> = fc
  .tuple(
    fc.oneof(refer('address', 'path'), refer('address', 'path', 'changed')),
    fc.constantFrom('PUT', 'PUT', 'PUT', 'GET', 'HEAD', 'DELETE', 'POST'),
    fc.oneof(zip, fc.constant(Buffer.alloc(22)), fc.constant(Buffer.alloc(1000))),
    extraHeaders,
  )
  .map(([path, method, body, headers]) => ({
    from: 'a signed address',
    caller: 'nobody',
    method,
    path,
    headers,
    ...(method === 'PUT' && { body }),
  }));

/** Paths of the laptop edition that are not part of the API. */
const beside: fc.Arbitrary<WrittenRequest> = fc
  .tuple(
    fc.constantFrom(
      '/',
      '/docs/',
      '/docs/reference.js',
      '/openapi.json',
      '/.well-known/oauth-protected-resource',
      '/console/',
      '/console/config.json',
      '/console/../package.json',
      '/console/%2e%2e/package.json',
      '/local/token',
      '/storage/x',
      '/mail/confirm/?pass=x',
      '/favicon.ico',
      '/.env',
    ),
    fc.constantFrom('GET', 'HEAD', 'POST', 'OPTIONS'),
    extraHeaders,
    bodyOf([]),
  )
  .map(([path, method, headers, [type, body]]) => ({
    from: 'beside the API',
    caller: 'nobody',
    method,
    path,
    headers: [...headers, ...(type === '' ? [] : [['content-type', type] as const])],
    body,
  }));

/** Every operation as often as every other, and what lies around them. */
export const anyRequest: fc.Arbitrary<WrittenRequest> = fc.oneof(
  ...describedApi.operations.map((operation) => ({
    weight: 10,
    arbitrary: requestsTo(operation),
  })),
  { weight: 20, arbitrary: links },
  { weight: 15, arbitrary: signed },
  { weight: 10, arbitrary: beside },
);
