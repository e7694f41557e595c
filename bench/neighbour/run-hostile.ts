import { setTimeout as sleep } from 'node:timers/promises';
import {
  type HostileKind,
  type HostileRequest,
  hostileKinds,
  listHostileRequests,
} from './hostile-requests.ts';

/** Runs the hostile caller until it is ended, and prints how often it was answered how, as JSON. */
const [, , url = '', userToken = '', adminToken = '', filesPath = '', ...named] = process.argv;
const kinds = hostileKinds.filter((kind) => named.includes(kind));
const answers = new Map<string, number>();

process.once('SIGTERM', () => {
  process.stdout.write(JSON.stringify([...answers]));
  process.exit();
});

const requests = listHostileRequests(filesPath);
await Promise.all(kinds.flatMap(openConnections));

/** Requests of a kind are sent in turn, except for those that have their own connections. */
function openConnections(kind: HostileKind): Promise<void>[] {
  const connections = requests[kind][0]?.connections ?? 1;
  return Array.from({ length: connections }, () => sendWithoutPause(kind));
}

async function sendWithoutPause(kind: HostileKind): Promise<void> {
  for (let turn = 0; ; turn += 1) {
    const request = requests[kind][turn % requests[kind].length];
    const outcome = request === undefined ? 'nothing' : await send(request);
    answers.set(outcome, (answers.get(outcome) ?? 0) + 1);
  }
}

async function send({
  path,
  method = 'GET',
  headers,
  body,
  isForAdministrators = false,
}: HostileRequest): Promise<string> {
  const authorization = `Bearer ${isForAdministrators ? adminToken : userToken}`;
  try {
    const answer = await fetch(`${url}${path}`, {
      method,
      headers: { ...headers, authorization },
      ...(body && { body }),
    });
    await answer.arrayBuffer();
    return String(answer.status);
  } catch {
    // The service refused the connection. Only then a pause, or nothing but refusals would be sent.
    await sleep(100);
    return 'no answer';
  }
}
