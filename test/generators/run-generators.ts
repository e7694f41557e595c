import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import * as v from 'valibot';
import { endOf, fillEnvironment } from '#tools/python/fill-environment.ts';
import { runTool } from '#tools/run-tool.ts';
import { type LaptopEdition, startLaptopEdition } from '../../bench/measure/laptop-edition.ts';
import { buildZip } from '../fixtures/build-zip.ts';
import { type Generator, listGenerators, pythonPackages, type Step } from './tools.ts';

const help = `Makes clients from docs/openapi.json with common generators. Each must compile, submit a job to a
laptop edition and find it in the list.

  npm run suite -- generators
  npm run suite -- generators oapi-codegen "openapi-generator go"

It needs Python, Go, Java, Maven and the registries of their packages. It ends with 1 if a client fails.
`;

const root = join(import.meta.dirname, '../..');
const cache = join(root, 'node_modules/.cache/generators');
const stepSeconds = 15 * 60;
const user = '306328';

const phases = ['generates', 'compiles', 'submits'] as const;
type Outcome = Readonly<Record<(typeof phases)[number], string>>;

const smallJob = { command: 'ls', node_number: 1, core_number: 1, runtime: 0.01 };

const typescriptSettings = {
  compilerOptions: {
    ...{ noEmit: true, strict: true, skipLibCheck: true },
    ...{ target: 'es2022', module: 'esnext', moduleResolution: 'bundler' },
    ...{ lib: ['es2022', 'dom'], types: ['node'], typeRoots: [join(root, 'node_modules/@types')] },
  },
  include: ['submit.ts', 'index.ts'],
};

const Jobs = v.array(v.object({ job_id: v.string() }));

await runTool(help, {}, async (_, wanted) => {
  const python = join(cache, 'python');
  const missing = await fillEnvironment({
    folder: python,
    packages: pythonPackages,
    probe: 'httpx==0.28.1',
  });
  if (missing !== undefined) {
    process.stdout.write(`The generators did not run: ${missing}\n`);
    return 1;
  }
  const generators = listGenerators({
    description: join(root, 'docs/openapi.json'),
    python,
    bin: join(root, 'node_modules/.bin'),
    cache,
  }).filter(({ name }) => wanted.length === 0 || wanted.includes(name));
  const folder = mkdtempSync(join(tmpdir(), 'slipway-generators-'));
  const service = await startLaptopEdition(join(folder, 'service'), {
    SYSTEMS: 'simulated',
    SIM_HOUR_SECONDS: '0.5',
    LOG_LEVEL: 'SILENT',
  });
  try {
    const zip = join(folder, 'job.zip');
    writeFileSync(zip, buildZip([{ name: 'in.txt', content: 'data' }]));
    const rows: [Generator, Outcome][] = [];
    for (const generator of generators) {
      rows.push([generator, await tryGenerator(generator, service, { folder, zip })]);
    }
    process.stdout.write(writeTable(rows));
    return rows.length > 0 && rows.every(([, outcome]) => outcome.submits === 'yes') ? 0 : 1;
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true });
  }
});

interface Files {
  readonly folder: string;
  readonly zip: string;
}

/** Stops at the first phase that fails. */
async function tryGenerator(
  generator: Generator,
  service: LaptopEdition,
  { folder, zip }: Files,
): Promise<Outcome> {
  const home = join(folder, generator.name.replaceAll(' ', '-'));
  mkdirSync(home);
  const [program, place] = generator.program;
  writeFileSync(join(home, 'tsconfig.json'), JSON.stringify(typescriptSettings));
  const variables = {
    BASE_URL: service.url,
    TOKEN: service.authorize(user).authorization.replace('Bearer ', ''),
    ZIP: zip,
    PAYLOAD: JSON.stringify({ ...smallJob, title: generator.name }),
  };
  const outcome = { generates: '-', compiles: '-', submits: '-' };
  for (const phase of phases) {
    if (phase === 'compiles')
      cpSync(join(import.meta.dirname, 'programs', program), join(home, place));
    const output = await runSteps(generator[phase], home, variables);
    const isDone = phase === 'submits' ? await isListed(service, output) : output !== undefined;
    outcome[phase] = isDone ? 'yes' : 'no';
    process.stdout.write(`${generator.name} ${phase}: ${outcome[phase]}\n`);
    if (!isDone) break;
  }
  return outcome;
}

/** Returns what the last step prints, or undefined if one fails. */
async function runSteps(
  steps: readonly Step[],
  folder: string,
  variables: Readonly<Record<string, string>>,
): Promise<string | undefined> {
  let output = '';
  for (const step of steps) {
    const child = spawn('env', [...assign(variables), ...step], {
      cwd: folder,
      timeout: stepSeconds * 1000,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const ended = endOf(child);
    const [printed, complaints] = await Promise.all([
      readText(child.stdout),
      readText(child.stderr),
    ]);
    if ((await ended) !== 0) {
      process.stdout.write(
        `${step.join(' ')}\n${printed.slice(-4000)}${complaints.slice(-4000)}\n`,
      );
      return undefined;
    }
    output = printed;
  }
  return output;
}

function assign(variables: Readonly<Record<string, string>>): string[] {
  return Object.entries(variables).map(([name, value]) => `${name}=${value}`);
}

/** A program prints the id of its job, which must be a job of the service. */
async function isListed(service: LaptopEdition, output: string | undefined): Promise<boolean> {
  const id = output?.trim().split('\n').at(-1) ?? '';
  const jobs = v.parse(Jobs, await service.call(user, '/jobs/'));
  return jobs.some(({ job_id: each }) => each === id);
}

function writeTable(rows: readonly (readonly [Generator, Outcome])[]): string {
  const cells = rows.map(([{ name, version }, outcome]) => [
    name,
    version,
    ...phases.map((phase) => outcome[phase]),
  ]);
  const all = [['tool', 'version', ...phases], ...cells];
  const widths = all[0]?.map((_, at) => Math.max(...all.map((row) => row[at]?.length ?? 0))) ?? [];
  return all
    .map(
      (row) =>
        `${row
          .map((cell, at) => cell.padEnd(widths[at] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}
