import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';

/** The emulator, and the AWS CLI of docs/deploy.md. */
export const packages = ['ministack==1.5.33', 'cryptography==50.0.2', 'awscli==1.46.2'];

/** Lambda's Node.js has the SDK. The emulator does not, and a function of the CDK imports it. */
const sdk = '@aws-sdk/client-s3@3.1164.0';

export const region = 'eu-central-1';
export const account = '000000000000';

const cache = join(import.meta.dirname, '../../node_modules/.cache/test-deployed');
export const tools = join(cache, 'tools');
const startSeconds = 60;

export type Variables = Readonly<Record<string, string>>;

/** Settings of the user's own account, which no command may follow. */
const unset = ['AWS_PROFILE', 'AWS_SESSION_TOKEN', 'AWS_ENDPOINT_URL', 'AWS_ENDPOINT_URL_S3'];

/** Returns arguments of `env` that run a command with these variables beside those of the user. */
export function commandWith(variables: Variables, ...command: readonly string[]): string[] {
  const set = Object.entries(variables).map(([name, value]) => `${name}=${value}`);
  return [...unset.flatMap((name) => ['-u', name]), ...set, ...command];
}

export interface Emulator {
  readonly port: number;
  /** The environment of commands that work on the emulator instead of AWS. */
  readonly environment: Variables;
  /** What the emulator has logged so far. */
  readLog(): string;
  stop(): Promise<void>;
}

/** Installs the tools once per set of versions. */
export function installTools(): void {
  const mark = join(tools, 'installed.txt');
  const wanted = [...packages, sdk].join('\n');
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return;
  rmSync(tools, { recursive: true, force: true });
  mkdirSync(tools, { recursive: true });
  runOrThrow('python3', ['-m', 'venv', tools]);
  runOrThrow(join(tools, 'bin/pip'), ['install', '--quiet', ...packages]);
  // Without a package.json of its own, npm would install into this project.
  writeFileSync(join(tools, 'package.json'), '{}');
  runOrThrow('npm', ['install', '--silent', '--no-audit', '--no-fund', '--prefix', tools, sdk]);
  writeFileSync(mark, wanted);
}

/**
 * Starts the emulator on a free port of this machine. It keeps everything in memory. Functions have
 * these variables beside their own.
 */
export async function startEmulator(
  directory: string,
  ofFunctions: Variables = {},
): Promise<Emulator> {
  const port = await findFreePort();
  const logFile = join(directory, 'emulator.log');
  const log = openSync(logFile, 'w');
  const settings = {
    TMPDIR: directory,
    BIND_HOST: '127.0.0.1',
    GATEWAY_PORT: String(port),
    MINISTACK_HOST: 'localhost',
    MINISTACK_REGION: region,
    MINISTACK_ACCOUNT_ID: account,
    // Functions are processes of this machine. Otherwise they are containers.
    LAMBDA_EXECUTOR: 'local',
    NODE_PATH: join(tools, 'node_modules'),
    // It would open a fixed port.
    IOT_MTLS_ENABLED: '0',
    // Functions refuse an empty token.
    AWS_SESSION_TOKEN: 'test',
    ...ofFunctions,
  };
  const child = spawn('env', commandWith(settings, join(tools, 'bin/ministack')), {
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const environment = {
    AWS_ENDPOINT_URL: `http://localhost:${port}`,
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_REGION: region,
    AWS_DEFAULT_REGION: region,
    // Keeps the user's own account out.
    AWS_CONFIG_FILE: join(directory, 'none'),
    AWS_SHARED_CREDENTIALS_FILE: join(directory, 'none'),
    AWS_EC2_METADATA_DISABLED: 'true',
    CDK_HOME: join(directory, 'cdk-home'),
    CDK_DISABLE_CLI_TELEMETRY: 'true',
  };
  await waitUntilReady(child, port, logFile);
  return {
    port,
    environment,
    readLog: () => readFileSync(logFile, 'utf8'),
    stop: () => stop(child),
  };
}

async function waitUntilReady(child: ChildProcess, port: number, logFile: string): Promise<void> {
  const deadline = Date.now() + startSeconds * 1000;
  while (Date.now() < deadline && child.exitCode === null) {
    const answer = await fetch(`http://127.0.0.1:${port}/_ministack/health`).catch(() => undefined);
    if (answer?.ok) return;
    await setTimeout(200);
  }
  await stop(child);
  throw new Error(`The emulator did not start.\n${readFileSync(logFile, 'utf8')}`);
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill();
  await Promise.race([ended, setTimeout(5000, undefined, { ref: false })]);
  child.kill('SIGKILL');
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('No port is free.');
  return address.port;
}

function runOrThrow(command: string, args: readonly string[]): void {
  const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8' });
  if (status === 0) return;
  throw new Error(`${command} ${args.join(' ')} failed.\n${error?.message ?? stderr}`);
}
