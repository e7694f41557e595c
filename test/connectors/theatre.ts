import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { vi } from 'vitest';
import type { AllowedBucket } from '#lib/catalog/bucket-addresses.ts';
import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import { projectName, systemName } from '#lib/catalog/identifiers.ts';
import { systemKinds } from '#lib/catalog/kinds/system-kinds.ts';
import { type ObjectStore, openObjectStore } from '#lib/files/storage/object-store.ts';
import type { Table } from '#lib/table/table.ts';
import type { Service } from '#local/start-service.ts';
import { startS3rver } from '#test/engines/storages.ts';
import { catalog } from '#test/fixtures/catalog.ts';
import { userId } from '#test/fixtures/names.ts';
import { Researcher } from '#test/slurm/researcher.ts';
import { data, startDataServer } from './fetching/data-server.ts';
import type { Scene } from './scene.ts';
import { Stage } from './stage.ts';
import type { OpenStagedKind, StagedKind, StagedSystem } from './staged-system.ts';

/** A kind of system, and the scenes that are played on it. */
export interface Play {
  readonly open: OpenStagedKind;
  readonly scenes: readonly Scene[];
}

/** The service, in front of a system for each scene of each play. */
export interface Theatre {
  openStage(play: Play, scene: Scene): Promise<Stage>;
  close(): Promise<void>;
}

interface Place {
  readonly play: Play;
  readonly scene: Scene;
  readonly kind: StagedKind;
  readonly staged: StagedSystem;
  readonly system: HpcSystem;
}

/**
 * Starts the laptop edition in this process. Each scene has a system of its own, so that an outage in
 * one scene is not one in another. No schedule runs: each stage sweeps its own system.
 */
export async function openTheatre(plays: readonly Play[]): Promise<Theatre> {
  const directory = mkdtempSync(join(tmpdir(), 'slipway-stage-'));
  // Jobs of a real system run as somebody else.
  chmodSync(directory, 0o777);
  const datasets = layOutData(directory);
  const dataServer = await startDataServer();
  const { host: dataHost } = dataServer;
  const lab = await openLab(directory);
  const inputs = { hosts: [dataHost], buckets: [lab.allowed] };
  const outputs = { hosts: [dataHost], buckets: [lab.allowed] };
  const kinds: StagedKind[] = [];
  const places: Place[] = [];
  const stages: Stage[] = [];
  let service: Service | undefined;
  const close = async () => {
    for (const stage of stages) await stage.close();
    await service?.close();
    await dataServer.close();
    await lab.close();
    for (const { staged } of places) await staged.line.close();
    for (const kind of kinds) await kind.close();
    vi.doUnmock('../fixtures/chosen-systems.ts');
    vi.unstubAllEnvs();
    rmSync(directory, { recursive: true, force: true });
  };
  try {
    for (const play of plays) {
      const kind = await play.open(directory);
      kinds.push(kind);
      for (const scene of play.scenes) {
        const name = `${kind.kind}_${scene.name.replaceAll('-', '_')}`;
        const staged = await kind.openSystem(name);
        const { entry, keptPath: path } = staged;
        const { keep, ...others } = scene.entry ?? {};
        const offered = systemKinds[kind.kind].offers ?? [];
        const system = describeSystem(name, places.length + 1, {
          datasets,
          inputs: { ...inputs, ...scene.inputs },
          ...(offered.includes('outputs') && { outputs }),
          ...others,
          ...entry,
          ...(keep && offered.includes('keep') && { keep: { ...keep, ...(path && { path }) } }),
        });
        places.push({ play, scene, kind, staged, system });
      }
    }
    service = await startService(directory, places, kinds);
    const { url, issuer } = service;
    const { stores } = await import('#functions/sweep-parts.ts');
    for (const kind of kinds) kind.begin?.({ table: stores.table });
    return {
      async openStage(play, scene) {
        const place = places.find((each) => each.play === play && each.scene === scene);
        if (!place) throw new Error(`No stage was made for ${scene.name}.`);
        const user = String(1000 + places.indexOf(place));
        const signIn = (name: string) =>
          new Researcher({ url, token: issuer.issueToken({ user: name }), user: name });
        const ada = signIn(user);
        const { kind, system, staged } = place;
        await welcome(stores.table, system, user, staged.login);
        const stage = await Stage.open({
          kind: kind.kind,
          system,
          staged,
          ada,
          directory,
          dataHost,
          lab,
          signIn,
          appoint: (name) => appoint(stores.table, system, name, staged.otherLogin),
          welcome: (name) => welcome(stores.table, system, name, staged.otherLogin),
        });
        stages.push(stage);
        return stage;
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** A bucket of another storage than that of the service. Jobs may use a part of it. */
export interface Lab {
  readonly allowed: AllowedBucket;
  readonly store: ObjectStore;
}

async function openLab(directory: string): Promise<Lab & { close(): Promise<void> }> {
  const name = 'lab-data';
  const { settings, close } = await startS3rver(directory, name);
  const { AWS_REGION: region, AWS_ENDPOINT_URL_S3: endpoint } = settings;
  vi.stubEnv('BUCKETS_ACCESS_KEY_ID', settings.AWS_ACCESS_KEY_ID);
  vi.stubEnv('BUCKETS_SECRET_ACCESS_KEY', settings.AWS_SECRET_ACCESS_KEY);
  const store = openObjectStore(name, settings);
  await store.put('open/some letters.dat', data);
  if (endpoint === undefined) throw new Error('The storage has no address.');
  return { allowed: { name, prefix: 'open/', region, endpoint }, store, close };
}

/** Puts a data set where jobs of each system can read it. Another is for other projects. */
function layOutData(directory: string): NonNullable<HpcSystem['datasets']> {
  const path = join(directory, 'letters');
  writeFileSync(path, 'abc\n');
  return [
    { name: 'letters', path, description: 'Letters.' },
    { name: 'others', path, description: 'For others.', projects: [projectName('others')] },
  ];
}

/**
 * Gives a user a quota on one system alone. The first call of a user would open one on every system
 * of the catalog in one transaction, which is too long for the systems of all scenes.
 */
async function welcome(
  table: Table,
  system: HpcSystem,
  user: string,
  login: string | undefined,
): Promise<void> {
  const { welcomeUser } = await import('#lib/quotas/welcome.ts');
  await welcomeUser(table, { systems: [system] }, userId(user));
  await enterLogin(table, system, user, login);
}

async function enterLogin(
  table: Table,
  system: HpcSystem,
  user: string,
  login: string | undefined,
): Promise<void> {
  if (login === undefined) return;
  const { mapLogin } = await import('#lib/users/logins/map-login.ts');
  const order = { user: userId(user), system, name: login, reason: 'a scene', by: '1' };
  await mapLogin(table, order);
}

async function appoint(
  table: Table,
  system: HpcSystem,
  user: string,
  login: string | undefined,
): Promise<void> {
  await enterLogin(table, system, user, login);
  const { setLeaders } = await import('#lib/budgets/leaders.ts');
  const project = { hpc: system.name, project: system.projects[0].name };
  await setLeaders(table, { project, leaders: [userId(user)], reason: 'a scene', by: '1' });
}

async function startService(
  directory: string,
  places: readonly Place[],
  kinds: readonly StagedKind[],
): Promise<Service> {
  const others = kinds.flatMap(({ kind, others = [] }) =>
    others.map((entry) => describeSystem(`${kind}_other`, places.length + 1, entry)),
  );
  const systems = [...places.map(({ system }) => system), ...others];
  const stateDirectory = join(directory, 'state');
  mkdirSync(stateDirectory, { mode: 0o700 });
  const credentials = places.map(({ system, staged }) => [system.name, staged.credentials ?? {}]);
  const file = join(stateDirectory, 'credentials.json');
  writeFileSync(file, JSON.stringify(Object.fromEntries(credentials)), { mode: 0o600 });
  // The functions read the catalog when they are loaded, so nothing may be loaded already.
  vi.resetModules();
  vi.doMock('../fixtures/chosen-systems.ts', () => ({ chosenSystems: () => systems }));
  vi.stubEnv('LOG_LEVEL', 'SILENT');
  const local = await import('#local/start-service.ts');
  return local.startService({ port: 0, dataDirectory: 'memory', stateDirectory });
}

function describeSystem(name: string, number: number, entry: Partial<HpcSystem>): HpcSystem {
  const wanted = entry.program?.field ?? 'command';
  const base = catalog.systems.find(({ program }) => program.field === wanted);
  if (!base) throw new Error(`The test catalog has no system with ${wanted}.`);
  const hpc = systemName(name);
  const project = { ...base.projects[0], number, name: projectName(`project_${name}`), hpc };
  return { ...base, ...entry, name: hpc, projects: [project] };
}
