import type { Operation } from './operation.ts';
import { slipwayExamples } from './slipway-examples.ts';

export interface Example {
  readonly title: string;
  readonly code: string;
}

/** Writes how to call an operation with curl, and with Python and the command where they have it. */
export function listExamples(operation: Operation): Example[] {
  const python = writePython(operation);
  const command = slipwayExamples[operation.name];
  return [
    { title: 'curl', code: writeCurl(operation) },
    ...(python === undefined ? [] : [{ title: 'Python', code: python }]),
    ...(command === undefined ? [] : [{ title: 'slipway', code: command }]),
  ];
}

/** Two variables that a shell has, so that an example works on every service. */
const address = '$SLIPWAY_URL';
const token = '-H "Authorization: Bearer $SLIPWAY_TOKEN"';

function writeCurl({ method, longest, parameters }: Operation): string {
  const path = fillIn(writePath(longest['x-path']), parameters);
  const headers = parameters
    .filter(({ in: place, required }) => place === 'header' && required)
    .map(({ name, example }) => `-H ${quote(`${name}: ${String(example)}`)}`);
  const [type, content] = Object.entries(longest.requestBody?.content ?? {})[0] ?? [];
  const isFile = content?.example === undefined;
  const body =
    type === undefined
      ? []
      : [
          `-H 'Content-Type: ${type}'`,
          isFile
            ? `--data-binary @${type === 'application/zip' ? 'job_file.zip' : 'file'}`
            : `--data-binary ${quote(textOf(content.example))}`,
        ];
  const needed = longest.security ? [] : [token];
  const call = `curl ${method === 'GET' ? '' : `-X ${method} `}"${address}${path}"`;
  return [call, ...needed, ...headers, ...body].join(' \\\n  ');
}

/** Turns `/jobs/[{hpc}/]` into `/jobs/{hpc}/`. */
function writePath(path: string): string {
  return path.replaceAll(/[[\]]/g, '');
}

function fillIn(path: string, parameters: Operation['parameters']): string {
  return path.replaceAll(/\{(\w+)\}/g, (whole, name) => {
    const example = parameters.find((each) => each.name === name)?.example;
    return example === undefined ? whole : String(example);
  });
}

function textOf(example: unknown): string {
  return typeof example === 'string' ? example : JSON.stringify(example);
}

function quote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** What the package does in more than one request has a method of its own. */
const own: Readonly<Record<string, string>> = {
  submitJob: 'job = s.submit("my-study/", "hpc_one", command="node study.mjs", hours=0.5)',
  submitBatch:
    'batch = s.map("my-study/", "hpc_one", command="node study.mjs {index}", hours=0.5, count=100)',
  grantQuotas: 'rows = s.grant_quotas(csv=open("grants.csv").read())',
  mapAccounts: 'rows = s.map_accounts(csv=open("accounts.csv").read())',
};

/** Other operations have a method of the same name; jobs alone call a handover. */
function writePython({ name, longest, parameters }: Operation): string | undefined {
  const start = 'from slipway_hpc import Slipway\n\ns = Slipway()\n';
  const ready = own[name];
  if (ready !== undefined) return start + ready;
  const body = longest.requestBody?.content['application/json'];
  const isFile = parameters.some((each) => each.name === 'file_id') && name.startsWith('get');
  if ((longest.security && name !== 'readStatus') || isFile) return undefined;
  const given = parameters
    .filter(({ in: place }) => place === 'path')
    .map((each) => `${each.name}=${JSON.stringify(each.example ?? '…')}`);
  const all = body ? [...given, `body=${writeLiteral(body.example)}`] : given;
  return `${start}answer = s.api.${writeSnake(name)}(${all.join(', ')})`;
}

function writeSnake(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** JSON and Python differ in three words. */
function writeLiteral(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(writeLiteral).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value) ?? 'None';
  const parts = Object.entries(value).map(([name, each]) => `"${name}": ${writeLiteral(each)}`);
  return `{${parts.join(', ')}}`;
}
