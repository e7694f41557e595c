import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, resolve } from 'node:path';
import { root } from '#infra/constructs/functions/bundle-options.ts';
import {
  type BundledPackage,
  listBundledPackages,
  putLicences,
} from '#infra/constructs/functions/third-party.ts';
import { runningVersion } from '#lib/telemetry/running-version.ts';
import { listComponents, narrowSbom } from '../bundles/write-sbom.ts';
import { buildConsole } from '../client/build-console.ts';
import { bundleCommand } from '../client/bundle-client.ts';
import { runTool } from '../run-tool.ts';
import { bundleLauncher, bundleServer } from './bundle-server.ts';
import { sayHowToRun } from './server-commands.ts';
import { packFolder, writeChecksums } from './write-archive.ts';

const help = `Makes the archive for a server of one's own: the service, the console, the command and the tools of
operators, with all packages that they need (docs/on-premises.md). It needs Node 24 there, nothing else.

  npm run release -- [FOLDER]

FOLDER is where to write slipway-server-${runningVersion}.tar.gz (default: release). The same commit makes the
same bytes.
`;

await runTool(help, {}, async (_, [folder = 'release']) => {
  const name = `slipway-server-${runningVersion}`;
  const draft = mkdtempSync(join(tmpdir(), 'slipway-release-'));
  try {
    mkdirSync(folder, { recursive: true });
    const archive = join(resolve(folder), `${name}.tar.gz`);
    const time = readCommitTime();
    await fillFolder(join(draft, name), time);
    const sum = packFolder(join(draft, name), archive, time);
    process.stdout.write(`${sum}  ${relative('.', archive)}\n`);
    return 0;
  } finally {
    rmSync(draft, { recursive: true });
  }
});

async function fillFolder(folder: string, time: Date): Promise<void> {
  const app = join(folder, 'app');
  const packages = distinct([
    ...listBundledPackages(await bundleServer(app)),
    ...listBundledPackages(await buildConsole(join(app, 'console/dist'))),
    ...(await bundleCommand(join(folder, 'slipway'))),
  ]);
  const launcher = join(folder, 'slipway-server');
  await bundleLauncher(launcher, app);
  chmodSync(launcher, 0o755);
  cpSync(join(root, 'docs/examples/on-premises'), join(folder, 'etc'), { recursive: true });
  for (const file of ['LICENSE', 'CHANGELOG.md']) cpSync(join(root, file), join(folder, file));
  copyPages(join(root, 'docs'), join(folder, 'docs'));
  putLicences(folder, packages);
  const sbom = narrowSbom(listComponents(), packages, 'slipway-server', time);
  writeFileSync(join(folder, 'sbom.cdx.json'), `${JSON.stringify(sbom, undefined, 2)}\n`);
  writeChecksums(folder);
}

function distinct(packages: readonly BundledPackage[]): BundledPackage[] {
  const known = new Map(packages.map((each) => [`${each.name}@${each.version}`, each]));
  return [...known].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, each]) => each);
}

/** Copies the documentation, which then names the commands of the archive. */
function copyPages(from: string, to: string): void {
  cpSync(from, to, { recursive: true });
  for (const name of readdirSync(to, { recursive: true, encoding: 'utf8' })) {
    if (!name.endsWith('.md')) continue;
    writeFileSync(join(to, name), sayHowToRun(readFileSync(join(to, name), 'utf8')));
  }
}

/** Without git, the beginning of 1980, the oldest time that every format of archives knows. */
function readCommitTime(): Date {
  try {
    const seconds = execFileSync('git', ['log', '-1', '--format=%ct'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return new Date(Number(seconds) * 1000);
  } catch {
    return new Date('1980-01-01T00:00:00Z');
  }
}
