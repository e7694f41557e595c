import { utf8Header } from '../ask.ts';
import { type Hpc, payloads } from '../submit.ts';

/** A `Payload` that must be refused with 400, naming what is wrong. */
export interface BadPayload {
  readonly name: string;
  readonly hpc: Hpc;
  readonly payload: string | null;
  /** `location name` of every part that is wrong. */
  readonly named: readonly string[];
}

const whole: readonly BadPayload[] = [
  ['missing', null],
  ['empty', ''],
  ['blank', '   '],
  ['no JSON', 'command=ls'],
  ['JSON that was cut off', '{"command":"ls -lisa","node_number":"2"'],
  ['JSON with single quotes', "{'command':'ls -lisa'}"],
  ['JSON with a bare NaN', textOf('hpc_one', { runtime: 'NaN' })],
  ['JSON with a bare Infinity', textOf('hpc_one', { runtime: 'Infinity' })],
  ['two objects', '{}{}'],
  ['an array', '[]'],
  ['an array of objects', '[{"command":"ls -lisa"}]'],
  ['null', 'null'],
  ['a number', '1'],
  ['text', '"ls -lisa"'],
  ['8,000 brackets deep and never closed', '['.repeat(8000)],
  ['4,000 arrays deep', '['.repeat(4000) + ']'.repeat(4000)],
  ['9 KB long', textOf('hpc_one', { title: JSON.stringify('x'.repeat(9000)) })],
].map(([name = '', payload = null]) => ({
  name: `a Payload that is ${name}`,
  hpc: 'hpc_one',
  payload,
  named: ['header Payload'],
}));

/** One field of the example in another spelling, as raw JSON. */
const notWhole = [
  '"0"',
  '"-1"',
  '"1.5"',
  '"2.0"',
  '"two"',
  '""',
  '" "',
  '"1e3"',
  '"0x2"',
  '"2,0"',
  '"NaN"',
  '"\\uff12"',
  '"1000000"',
  '"99999999999999999999"',
  '0',
  '-1',
  '1.5',
  '1e309',
  '1e300',
  'null',
  'true',
  '[2]',
  '{}',
];

const noHours = [
  '"0"',
  '"0.0"',
  '"-2.0"',
  '"NaN"',
  '"Infinity"',
  '"-Infinity"',
  '"1e309"',
  '"2,0"',
  '"2.0.0"',
  '"2.0h"',
  '"0x10"',
  '"\\uff12.\\uff10"',
  '"\\u0662"',
  '"two"',
  '""',
  '" "',
  '0',
  '-2.0',
  '1e309',
  '-1e309',
  'null',
  'true',
  '["2.0"]',
  '{"hours":2}',
];

const noText = ['null', '1', 'true', '["ls"]', '{"a":1}', '"\\u0000"', '"a\\u0007b"', '"\\ud800"'];
const noName = [...noText, '""', '" "', '"a b"', '"a-b"', '"../x"', '"a;b"', '"NEURON\\uff17"'];

const fields: readonly BadPayload[] = [
  ...spoil('hpc_one', 'node_number', notWhole),
  ...spoil('hpc_two', 'core_number', notWhole),
  ...spoil('hpc_one', 'runtime', noHours),
  ...spoil('hpc_two', 'runtime', noHours),
  ...spoil('hpc_one', 'title', [...noText, JSON.stringify('x'.repeat(201))]),
  ...spoil('hpc_one', 'command', [...noText, '""', '" "', JSON.stringify('x'.repeat(4097))]),
  ...spoil('hpc_two', 'tool', [...noName, JSON.stringify('X'.repeat(200))]),
  ...['command', 'node_number', 'core_number', 'runtime'].map((field) => lack('hpc_one', field)),
  ...['tool', 'node_number', 'core_number', 'runtime'].map((field) => lack('hpc_two', field)),
];

const strangers: readonly BadPayload[] = [
  add('hpc_one', 'tool', '"NEURON74_TG"'),
  add('hpc_two', 'command', '"ls -lisa"'),
  add('hpc_one', 'init_file', '"init.hoc"'),
  add('hpc_one', 'walltime', '"2.0"'),
  add('hpc_one', 'Title', '"a job title"'),
  add('hpc_one', '__proto__', '{"runtime":"1.0"}'),
  add('hpc_one', 'constructor', '{"prototype":{}}'),
  add('hpc_one', 'owner', '"1"'),
  add('hpc_one', 'a', `${'{"a":'.repeat(1000)}1${'}'.repeat(1000)}`),
];

export const badPayloads: readonly BadPayload[] = [
  ...whole,
  ...fields,
  ...strangers,
  {
    name: 'a runtime in full-width digits, sent as UTF-8',
    hpc: 'hpc_one',
    payload: utf8Header(textOf('hpc_one', { runtime: '"２.０"' })),
    named: ['payload runtime'],
  },
  {
    name: 'a Payload in which everything is wrong, with all of it at once',
    hpc: 'hpc_two',
    payload: '{"command":"ls","node_number":"0","core_number":"x","runtime":"-1","title":1}',
    named: ['command', 'core_number', 'node_number', 'runtime', 'title', 'tool'].map(
      (field) => `payload ${field}`,
    ),
  },
];

function spoil(hpc: Hpc, field: string, values: readonly string[]): BadPayload[] {
  return values.map((value) => ({
    name: `${field} ${value.length > 40 ? `of ${value.length - 2} characters` : value} on ${hpc}`,
    hpc,
    payload: textOf(hpc, { [field]: value }),
    named: [`payload ${field}`],
  }));
}

function lack(hpc: Hpc, field: string): BadPayload {
  const { [field]: _, ...rest } = rawFields(hpc);
  return { name: `no ${field} on ${hpc}`, hpc, payload: join(rest), named: [`payload ${field}`] };
}

function add(hpc: Hpc, field: string, value: string): BadPayload {
  return {
    name: `the unknown field ${field} on ${hpc}`,
    hpc,
    payload: join(Object.assign(Object.create(null), rawFields(hpc)), [[field, value]]),
    named: [`payload ${field}`],
  };
}

/** The example's payload with some fields as raw JSON text, which may be no JSON at all. */
function textOf(hpc: Hpc, changes: Readonly<Record<string, string>>): string {
  return join({ ...rawFields(hpc), ...changes });
}

function rawFields(hpc: Hpc): Record<string, string> {
  return Object.fromEntries(
    Object.entries(payloads[hpc]).map(([field, value]) => [field, JSON.stringify(value)]),
  );
}

function join(rawValues: Record<string, string>, more: readonly [string, string][] = []): string {
  const members = [...Object.entries(rawValues), ...more];
  return `{${members.map(([field, value]) => `"${field}":${value}`).join(',')}}`;
}
