import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bundleClient, emitTypes } from '#tools/client/bundle-client.ts';
import { projectRoot } from '../../fixtures/edition.ts';
import { readClientExamples } from '../fixtures/pages.ts';

let project: string;

beforeAll(async () => {
  project = mkdtempSync(join(tmpdir(), 'slipway-'));
  const client = join(project, 'client');
  for (const name of ['package.json', 'bin']) {
    cpSync(join(projectRoot, 'client', name), join(client, name), { recursive: true });
  }
  await bundleClient(join(client, 'dist'));
  await emitTypes(join(client, 'dist/types'));
  npm('pack', './client');
  const [packed = ''] = readdirSync(project).filter((name) => name.endsWith('.tgz'));
  rmSync(client, { recursive: true });
  writeFileSync(join(project, 'package.json'), '{ "name": "application", "type": "module" }');
  npm('install', '--offline', '--no-audit', '--no-fund', `./${packed}`);
  mkdirSync(join(project, 'node_modules/@types'));
  for (const name of ['@types/node', 'undici-types']) {
    symlinkSync(join(projectRoot, 'node_modules', name), join(project, 'node_modules', name));
  }
});

afterAll(() => rmSync(project, { recursive: true }));

function npm(...words: string[]): void {
  execFileSync('npm', words, { cwd: project, stdio: 'pipe' });
}

/** What the compiler says of a program that uses the installed package. */
function compile(program: string, options: Readonly<Record<string, unknown>>): string {
  writeFileSync(join(project, 'application.ts'), program);
  const compilerOptions = { noEmit: true, strict: true, target: 'es2022', ...options };
  const config = { compilerOptions, files: ['application.ts'] };
  writeFileSync(join(project, 'tsconfig.json'), JSON.stringify(config));
  const compiler = join(projectRoot, 'node_modules/typescript/bin/tsc');
  return spawnSync(process.execPath, [compiler], { cwd: project, encoding: 'utf8' }).stdout;
}

describe('the package, packed and installed', () => {
  it('has types for every example of the pages about the client', () => {
    const examples = readClientExamples().map(({ code }) => code);
    expect(examples.length).toBeGreaterThan(10);
    expect(compile(examples.join('\n'), { module: 'nodenext', types: ['node'] })).toBe('');
  });

  it('has types for browsers, without those of Node', () => {
    const program = `import { createClient, type Job } from 'slipway-hpc';
      const client = createClient({ baseUrl: '', token: () => '' });
      export const jobs: readonly Job[] = await client.listJobs({ limit: 1 });`;
    const options = { module: 'esnext', moduleResolution: 'bundler', types: [] };
    expect(compile(program, { ...options, lib: ['es2024', 'dom', 'dom.iterable'] })).toBe('');
  });

  it('finds type errors in wrong calls', () => {
    const program = `import { createClient } from 'slipway-hpc/node';
      const client = createClient({ baseUrl: '', token: '' });
      client.submit({ hpc: 'hpc_one', nodes: 'two' });`;
    expect(compile(program, { module: 'nodenext', types: ['node'] })).toContain(
      "Type 'string' is not assignable to type 'number'",
    );
  });

  it('brings its licence, and those of the packages in it', () => {
    const read = (name: string) =>
      readFileSync(join(project, 'node_modules/slipway-hpc/dist', name), 'utf8');
    expect(read('LICENSE')).toContain('Apache License');
    expect(read('THIRD-PARTY-LICENSES.txt')).toMatch(/^commander [\d.]+ \(MIT\)$/m);
  });

  it('runs', () => {
    const program = `import('slipway-hpc/node').then(({ problems }) => console.log(problems.busy.name))`;
    const options = { cwd: project, encoding: 'utf8' } as const;
    expect(execFileSync(process.execPath, ['--eval', program], options)).toBe('busy\n');
  });
});
