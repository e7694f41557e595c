import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** UNICORE/X 11.0 goes by this name and version in Maven Central. */
const artifact = { group: 'eu.unicore', name: 'uas-core', version: '3.0.0' };

const cache = fileURLToPath(new URL('../../node_modules/.cache/slipway-unicore', import.meta.url));

/** Downloads the server's jars, about a hundred, once: the folder outlives the run. */
export async function fetchJars(): Promise<string> {
  const jars = join(cache, `${artifact.name}-${artifact.version}`);
  if (existsSync(jars)) return jars;
  await mkdir(cache, { recursive: true });
  // Renamed when it is complete, so that a download that was broken off is not taken for all.
  const partial = await mkdtemp(join(cache, 'partial-'));
  try {
    await writeFile(join(partial, 'pom.xml'), pom);
    const goal = ['dependency:copy-dependencies', `-DoutputDirectory=${join(partial, 'jars')}`];
    await run('mvn', ['-q', '-B', ...goal], { cwd: partial, maxBuffer: 50_000_000 });
    await rename(join(partial, 'jars'), jars).catch((error: unknown) => {
      // Another run was faster.
      if (!existsSync(jars)) throw error;
    });
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
  return jars;
}

const pom = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>slipway</groupId>
  <artifactId>unicore-for-tests</artifactId>
  <version>1</version>
  <packaging>pom</packaging>
  <dependencies>
    <dependency>
      <groupId>${artifact.group}</groupId>
      <artifactId>${artifact.name}</artifactId>
      <version>${artifact.version}</version>
    </dependency>
  </dependencies>
</project>
`;

/** Says so, in one line, where the server cannot be started. Root is not needed. */
export async function canStartUnicore(): Promise<boolean> {
  const missing = await findMissing();
  if (missing === undefined) return true;
  process.stdout.write(`No UNICORE/X is tested: it needs ${missing}.\n`);
  return false;
}

async function findMissing(): Promise<string | undefined> {
  if (!(await hasJava17())) return 'Java 17';
  if (!(await answers('openssl', 'version'))) return 'openssl';
  const jars = join(cache, `${artifact.name}-${artifact.version}`);
  if (!existsSync(jars) && !(await answers('mvn', '--version'))) return 'Maven';
  return undefined;
}

async function hasJava17(): Promise<boolean> {
  const { stderr } = await run('java', ['-version']).catch(() => ({ stderr: '' }));
  return Number(/version "(\d+)/.exec(stderr)?.[1] ?? 0) >= 17;
}

function answers(program: string, ...parameters: string[]): Promise<boolean> {
  return run(program, parameters).then(
    () => true,
    () => false,
  );
}
