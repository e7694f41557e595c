import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type { BundledPackage } from '#infra/constructs/functions/third-party.ts';
import manifest from '../../package.json' with { type: 'json' };

interface Property {
  readonly name: string;
  readonly value: string;
}

interface Component {
  readonly name: string;
  readonly version?: string;
  readonly properties?: readonly Property[];
}

export interface Sbom {
  readonly $schema: string;
  readonly bomFormat: string;
  readonly specVersion: string;
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
}

/** Lists all packages of package-lock.json, those for other kinds of machines too. */
export function listComponents(): Sbom {
  const options = ['--sbom-format=cyclonedx', '--sbom-type=application', '--package-lock-only'];
  const text = execFileSync('npm', ['sbom', ...options], {
    cwd: join(import.meta.dirname, '../..'),
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  return JSON.parse(text);
}

/**
 * Keeps what an archive contains. Nothing remains that differs between two builds of a commit: npm
 * adds a random number, the time and its own version.
 */
export function narrowSbom(
  { components, metadata, ...sbom }: Sbom,
  packages: readonly BundledPackage[],
  name: string,
  time: Date,
) {
  const contained = new Set(packages.map((each) => `${each.name}@${each.version}`));
  return {
    $schema: sbom.$schema,
    bomFormat: sbom.bomFormat,
    specVersion: sbom.specVersion,
    version: 1,
    metadata: { timestamp: time.toISOString(), component: { ...metadata.component, name } },
    components: components.filter((each) => contained.has(`${each.name}@${each.version}`)),
  };
}

/**
 * Adds the bundles that contain each package. npm names the project after its folder, so its own name
 * is set too.
 */
export function completeSbom(
  sbom: Sbom,
  bundled: Readonly<Record<string, readonly BundledPackage[]>>,
): Sbom {
  const places = Object.entries(bundled).map(([place, packages]) => ({
    property: { name: 'slipway:bundled-in', value: place },
    contained: new Set(packages.map(({ name, version }) => `${name}@${version}`)),
  }));
  const components = sbom.components.map((component) => ({
    ...component,
    properties: [
      ...(component.properties ?? []),
      ...places
        .filter(({ contained }) => contained.has(`${component.name}@${component.version}`))
        .map(({ property }) => property),
    ],
  }));
  const component = { ...sbom.metadata.component, name: manifest.name };
  return { ...sbom, metadata: { ...sbom.metadata, component }, components };
}
