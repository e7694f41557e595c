import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '#infra/settings/config.ts';
import { addStacks } from '#infra/stacks/add-stacks.ts';
import { runTool } from '../run-tool.ts';
import { type Context, makeApp, variants } from './make-app.ts';

const help = `Checks all templates with cfn-lint and \`sam validate --lint\`.

  npm run lint:templates                    all variants of docs/scale.md, some minutes
  npm run lint:templates -- dev prod        only these

Installs both tools with pip into node_modules/.cache. Without Python it checks nothing, says so, and
succeeds.
`;

const packages = ['cfn-lint==1.58.0', 'aws-sam-cli==1.170.0'];

/** Rules that no template has to follow, each with its reason. */
const exempt = {
  W3005: 'The CDK lets a function wait for its role, to which the function refers anyway.',
};

const cache = 'node_modules/.cache/lint-templates';
const tools = join(cache, 'tools');
/** Any region will do. Without one, cfn-lint takes us-east-1, and sam asks for the user's. */
const region = 'eu-central-1';

await runTool(help, {}, async (_, names) => {
  const unknown = names.filter((name) => !(name in variants));
  if (unknown.length > 0) {
    throw new Error(
      `Unknown variant '${unknown[0]}'. Choose from: ${Object.keys(variants).join('; ')}.`,
    );
  }
  const missing = install();
  if (missing !== undefined) {
    process.stdout.write(`Templates were not linted: ${missing}\n`);
    return 0;
  }
  const chosen = Object.entries(variants).filter(
    ([name]) => names.length === 0 || names.includes(name),
  );
  const files = writeTemplates(chosen);
  const failed = [
    ...(run('cfn-lint', ['--regions', region, '--template', ...files]) ? [] : ['cfn-lint']),
    ...files
      .filter((file) => !run('sam', ['validate', '--lint', '--region', region, '-t', file]))
      .map((file) => `sam validate --lint -t ${file}`),
  ];
  process.stdout.write(
    `${files.length} different templates of ${chosen.length} variants. ${failed.length === 0 ? 'No findings.' : `Failed: ${failed.join('; ')}.`}\n`,
  );
  return failed.length === 0 ? 0 : 1;
});

/** Installs the tools once for each pair of versions. Returns what is missing, if anything is. */
function install(): string | undefined {
  const mark = join(tools, 'installed.txt');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === packages.join('\n')) return undefined;
  rmSync(tools, { recursive: true, force: true });
  if (spawnSync('python3', ['-m', 'venv', tools]).status !== 0) {
    return 'python3 with its module venv is not installed.';
  }
  const pip = spawnSync(join(tools, 'bin/pip'), ['install', '--quiet', ...packages], {
    encoding: 'utf8',
  });
  if (pip.status !== 0) {
    throw new Error(`pip could not install ${packages.join(' and ')}.\n${pip.stderr}`);
  }
  writeFileSync(mark, packages.join('\n'));
  return undefined;
}

/**
 * Writes each different template once. The exemptions are in the templates, because both tools read
 * them there. Deployed templates do not have them.
 */
function writeTemplates(chosen: readonly (readonly [string, Context])[]): string[] {
  const written = new Map<string, string>();
  for (const [name, context] of chosen) {
    const outdir = join(cache, name.replaceAll(/\W+/g, '-'));
    rmSync(outdir, { recursive: true, force: true });
    mkdirSync(outdir, { recursive: true });
    const app = makeApp(context, { outdir, builtinCloudFormationValidation: false });
    addStacks(app, readConfig(app.node));
    app.synth();
    for (const file of readdirSync(outdir).filter((each) => each.endsWith('.template.json'))) {
      const path = join(outdir, file);
      const template = JSON.parse(readFileSync(path, 'utf8'));
      const config = { ignore_checks: Object.keys(exempt) };
      const text = JSON.stringify({ ...template, Metadata: { 'cfn-lint': { config } } }, null, 1);
      writeFileSync(path, text);
      if (!written.has(text)) written.set(text, path);
    }
  }
  return [...written.values()];
}

function run(command: string, args: readonly string[]): boolean {
  const { status } = spawnSync(join(tools, 'bin', command), args, {
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  return status === 0;
}
