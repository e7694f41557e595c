import fc from 'fast-check';
import { describedApi, type Schema } from './described-api.ts';

/** Texts that have broken parsers, keys, logs, shells and pages before. */
const hostileTexts = [
  '',
  ' ',
  '.',
  '..',
  '../../etc/passwd',
  '%',
  '%00',
  '%2e%2e%2f',
  '%c0%af',
  '%ff',
  '\u0000',
  '\r\nX-Injected: 1',
  '\u2028',
  '\ufeff',
  '\ud800',
  '３０６３２８',
  '0x10',
  '-0',
  '1e400',
  '9'.repeat(40),
  'NaN',
  'Infinity',
  'null',
  'undefined',
  'true',
  '[]',
  '{}',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'USER#1',
  'COUNTER#job',
  '#',
  ':user',
  "' OR 1=1 --",
  '$(id)',
  '`id`',
  '{{7*7}}',
  '<script>alert(1)</script>',
  '=cmd|x!A1',
  '2026-02-30',
  '0000-00-00T00:00:00Z',
  '2026-11-17T25:61:61+99:99',
  '275760-09-13T00:00:00.001Z',
  'a'.repeat(300),
  'é'.repeat(130),
  '🚀'.repeat(70),
  'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!',
];

export const hostileText = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...hostileTexts) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 40 }) },
  { weight: 1, arbitrary: fc.string({ maxLength: 60 }) },
);

const hostileJson: fc.Arbitrary<unknown> = fc.oneof(
  hostileText,
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    -1,
    0.1,
    1e308,
    -1e-320,
    2 ** 53,
    -(2 ** 63),
    [],
    {},
    [[]],
    [null],
  ),
  fc.jsonValue({ maxDepth: 3 }),
);

/** Mostly good values, because a request with several faults ends at the first one. */
export function mostly<T>(good: fc.Arbitrary<T>, bad: fc.Arbitrary<T>, odds = 15): fc.Arbitrary<T> {
  return fc.oneof({ weight: odds, arbitrary: good }, { weight: 1, arbitrary: bad });
}

/** Values that the world knows. A text such as `«job:3:id»` is filled in before it is sent. */
const known: Readonly<Record<string, fc.Arbitrary<string>>> = {
  hpc: fc.constantFrom('hpc_one', 'hpc_two', 'hpc_three'),
  project_name: fc.constantFrom('proj_hpc_one_01', 'proj_hpc_two_01', 'proj_hpc_two_02', 'fuzz_b'),
  project: fc.constantFrom('proj_hpc_one_01', 'proj_hpc_two_01', 'fuzz_b'),
  any_project_name: fc.constantFrom('fuzz_a', 'fuzz_b', 'fuzz_c', 'proj_hpc_two_01'),
  user_id: refer('target', 'id'),
  user: refer('target', 'id'),
  job_id: refer('job', 'id'),
  input_from: refer('job', 'id'),
  after: refer('job', 'id'),
  after_any: refer('batch', 'id'),
  batch_id: refer('batch', 'id'),
  batch: refer('batch', 'id'),
  file_id: fc.constantFrom('stdout', 'stderr', 'output.txt', 'results.zip'),
  request_id: refer('request', 'id'),
  upload_id: refer('upload', 'id'),
  webhook_id: refer('webhook', 'id'),
  delivery_id: refer('delivery', 'id'),
  'Upload-Id': refer('upload', 'id'),
  cursor: fc.oneof(refer('cursor', 'id'), refer('cursor', 'id', 'changed')),
  stage: fc.constantFrom('QUEUED', 'RUNNING', 'SUCCESSFUL', 'FAILED', 'COMPLETED', 'DELETED'),
  by: fc.constantFrom('user', 'project', 'day', 'month', 'system', '100001'),
  kind: fc.constantFrom('quota-granted', 'user-banned', 'job-deleted'),
  state: fc.constantFrom('open', 'approved', 'declined', 'withdrawn'),
  expand: fc.constant('usage'),
  sum: fc.constantFrom('day', 'month', 'kind'),
  only: fc.constantFrom('cancel', 'delete'),
  command: fc.constantFrom('ls -lisa', 'echo {index}', 'run {alpha}'),
  tool: fc.constantFrom('NEURON74_TG', 'PYTHON_EXPANSE'),
  table: fc.constantFrom('table.csv', 'p.csv'),
  title: fc.constantFrom('a job title', 'sim:fail', 'sim:full', '{index}'),
  runtime: fc.constantFrom('0.01', '0.5', 0.1),
  node_number: fc.constantFrom('1', 2, '2'),
  core_number: fc.constantFrom('1', '6', 3),
  count: fc.constantFrom('2', 3, 10),
  filename: fc.constant('big.zip'),
  length: fc.constantFrom(22, 1000, 5_000_000_000).map(String),
  bytes: fc.constantFrom('22', '1000'),
  url: fc.constantFrom('https://hooks.example/a', 'https://hooks.example/b?x=1'),
  email: fc.constant('ada@example.org'),
  account: fc.constantFrom('ada', 'bob_2'),
  reason: fc.constantFrom('because', 'a course in spring'),
  valid_until: fc.constantFrom('2027-07-01', '2030-01-01T00:00:00Z'),
  'Content-Disposition': fc.constantFrom(
    'attachment; filename=job_file.zip',
    'attachment; filename="a b.zip"',
    "attachment; filename*=UTF-8''%e2%82%ac.zip",
  ),
} as Readonly<Record<string, fc.Arbitrary<string>>>;

/** Names something that the service has answered with earlier in the run. */
export function refer(kind: string, part: string, change = ''): fc.Arbitrary<string> {
  return fc
    .tuple(fc.nat(999), fc.nat(99))
    .map(([nth, where]) => `«${kind}:${nth}:${part}${change && `:${change}${where}`}»`);
}

/** Builds values that a schema of the API's description allows, now and then one that it does not. */
export function fromSchema(schema: Schema, name = ''): fc.Arbitrary<unknown> {
  return mostly(goodFor(schema, name), hostileJson, 25);
}

function goodFor(schema: Schema, name: string): fc.Arbitrary<unknown> {
  const { $ref, anyOf, enum: words, const: only, type } = schema;
  if (typeof $ref === 'string') return goodFor(describedApi.resolve($ref), name);
  if (only !== undefined) return fc.constant(only);
  if (Array.isArray(words)) return fc.constantFrom(...words);
  const ofName = known[name];
  if (ofName && type !== 'array' && type !== 'object') {
    return type === 'integer' ? ofName.map(Number) : ofName;
  }
  if (Array.isArray(anyOf)) return fc.oneof(...anyOf.map((each) => goodFor(each, name)));
  switch (type) {
    case 'object':
      return goodObject(schema);
    case 'array':
      return fc.array(fromSchema(Object(schema.items), name), {
        minLength: Number(schema.minItems ?? 0),
        maxLength: 4,
      });
    case 'integer':
      return fc.integer(boundsOf(schema, 100_000));
    case 'number':
      return fc.double({ min: 0, max: 1000, noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'string':
      return goodText(schema);
    default:
      return hostileJson;
  }
}

function goodObject({ properties, required }: Schema): fc.Arbitrary<unknown> {
  const needed = new Set([required ?? []].flat().map(String));
  const fields = Object.entries(Object(properties)).map(([name, schema]) => {
    const isThere = needed.has(name) ? fc.constant(true) : fc.nat(5).map((draw) => draw === 0);
    return fc
      .tuple(isThere, fromSchema(Object(schema), name))
      .map(([there, value]): [string, unknown][] => (there ? [[name, value]] : []));
  });
  return fc
    .tuple(
      fc.tuple(...fields),
      fc.tuple(...alternatives.map((names) => chooseOne(names, Object(properties)))),
      mostly(
        fc.constant({}),
        fc.dictionary(hostileText, hostileJson, { minKeys: 1, maxKeys: 2 }),
        20,
      ),
    )
    .map(([pairs, chosen, more]) => ({
      ...Object.fromEntries(pairs.flat()),
      ...Object.assign({}, ...chosen),
      ...more,
    }));
}

/** Fields of which a request has one, which schemas do not say. */
const alternatives = [
  ['command', 'tool'],
  ['count', 'table'],
  ['set', 'add'],
  ['time', 'space'],
] as const;

function chooseOne(names: readonly string[], properties: Schema): fc.Arbitrary<object> {
  if (!names.every((name) => name in properties)) return fc.constant({});
  const [first = '', second = ''] = names;
  return fc
    .tuple(
      fc.boolean(),
      fromSchema(Object(properties[first]), first),
      fromSchema(Object(properties[second]), second),
    )
    .map(([isFirst, one, other]) =>
      isFirst ? { [first]: one, [second]: undefined } : { [first]: undefined, [second]: other },
    );
}

/** Small numbers are the usual ones, and the bounds the interesting ones. */
function boundsOf({ minimum = 0, maximum = 1e15 }: Schema, usual: number) {
  const min = Number(minimum);
  const max = Math.max(min, Math.min(Number(maximum), usual));
  return { min: Math.max(min, -usual), max };
}

function goodText({ pattern, minLength = 0, maxLength = 40 }: Schema): fc.Arbitrary<string> {
  if (typeof pattern === 'string') return fc.stringMatching(new RegExp(pattern));
  const min = Number(minLength);
  return fc.string({ minLength: min, maxLength: Math.max(min, Math.min(Number(maxLength), 40)) });
}

/** Writes JSON, now and then in a way that no serializer would. */
export function jsonText(value: fc.Arbitrary<unknown>): fc.Arbitrary<string> {
  return fc
    .tuple(value, mostly(fc.constant(0), fc.integer({ min: 1, max: 12 }), 12))
    .map(([each, way]) => spoil(JSON.stringify(each) ?? '', way));
}

function spoil(text: string, way: number): string {
  switch (way) {
    case 0:
      return text;
    case 1:
      return text.slice(0, -1);
    case 2:
      return `\ufeff${text}`;
    case 3:
      return text.replace(/^\{/, '{"__proto__":{"administrator":true},');
    case 4:
      return text.replace(/^\{/, '{"title":"a","title":"b",');
    case 5:
      return text.replace(/:"?[0-9.]+"?/, ':1e999');
    case 6:
      return text.replace(/:"?[0-9.]+"?/, ':NaN');
    case 7:
      return `${'['.repeat(2000)}${']'.repeat(2000)}`;
    case 8:
      return '{"a":'.repeat(700);
    case 9:
      return `${text} ${text}`;
    case 10:
      return text.replace(/:"/, ':"\\ud800');
    case 11:
      return `[${text}]`;
    default:
      return text.replaceAll('"', "'");
  }
}
