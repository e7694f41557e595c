import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fillEnvironment } from '../python/fill-environment.ts';
import { workflowPackages } from '../python/workflow-packages.ts';
import { runTool } from '../run-tool.ts';

const help = `Checks the packages of a release as their registries and those who install them do.

  npm run suite -- release [FOLDER]

FOLDER has the packages (default: they are built first). Runs publint, arethetypeswrong and twine, and
installs each package into an empty project.
`;

const root = join(import.meta.dirname, '../..');
const cache = join(root, 'node_modules/.cache/release');
/** The Python packages by their modules, with their folders. */
const pythonPackages = new Map([
  ['slipway_hpc', 'python'],
  ...workflowPackages.map((name) => [name.replaceAll('-', '_'), `python/${name}`] as const),
]);
const packages = ['build==1.6.1', 'hatchling==1.33.0', 'twine==7.0.0'];

await runTool(help, {}, async (_values, [given]) => {
  const missing = await fillEnvironment({ folder: cache, packages, probe: 'hatchling==1.33.0' });
  if (missing !== undefined) throw new Error(`Nothing is checked: ${missing}`);
  const aside = mkdtempSync(join(tmpdir(), 'slipway-release-'));
  try {
    const folder = given === undefined ? build(join(aside, 'packages')) : resolve(given);
    const client = find(folder, '.tgz');
    const modules = [...pythonPackages.keys()];
    const wheels = modules.map((module) => find(folder, '.whl', `${module}-`));
    const sources = modules.map((module) => find(folder, '.tar.gz', `${module}-`));
    run('npx', ['--yes', 'publint@0.3.25', 'run', client, '--strict']);
    // CommonJS of today's Node can require it; older resolutions have no exports.
    run('npx', ['--yes', '@arethetypeswrong/cli@0.18.5', client, '--profile', 'esm-only']);
    run(join(cache, 'bin/twine'), ['check', '--strict', ...wheels, ...sources]);
    installClient(join(aside, 'npm'), client);
    installPython(join(aside, 'pip'), wheels, modules);
  } finally {
    rmSync(aside, { recursive: true });
  }
  return 0;
});

function build(folder: string): string {
  mkdirSync(folder);
  run('node', ['tools/client/build-client.ts']);
  run('npm', ['pack', '--workspace', 'client', '--pack-destination', folder]);
  const words = ['-m', 'build', '--no-isolation', '--outdir', folder];
  for (const each of pythonPackages.values()) run(join(cache, 'bin/python'), [...words, each]);
  return folder;
}

function find(folder: string, end: string, start = ''): string {
  const [name, ...others] = readdirSync(folder).filter(
    (each) => each.startsWith(start) && each.endsWith(end),
  );
  if (name === undefined || others.length > 0)
    throw new Error(`${folder} has not one file ${start}*${end}.`);
  return join(folder, name);
}

/** The line of the docs, with the package in the place of its name. */
function installClient(folder: string, client: string): void {
  mkdirSync(folder);
  run('npm', ['init', '--yes', '--init-type=module'], folder);
  run('npm', ['install', '--no-audit', '--no-fund', client], folder);
  run('npx', ['--no-install', 'slipway', '--version'], folder);
  const program = "import('slipway-hpc').then(({ createClient }) => createClient.name)";
  run('node', ['--eval', program], folder);
}

/** All at once, because a package of the same release need not be in the registry yet. */
function installPython(
  folder: string,
  wheels: readonly string[],
  modules: readonly string[],
): void {
  run('python3', ['-m', 'venv', folder]);
  run(join(folder, 'bin/pip'), ['install', '--quiet', '--disable-pip-version-check', ...wheels]);
  run(join(folder, 'bin/python'), [
    '-c',
    `import ${modules.join(', ')}; print(slipway_hpc.__version__)`,
  ]);
}

function run(command: string, words: readonly string[], cwd = root): void {
  const { status } = spawnSync(command, words, { cwd, stdio: 'inherit' });
  if (status !== 0) throw new Error(`${[command, ...words].join(' ')} failed.`);
}
