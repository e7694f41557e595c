import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { type Sshd, startSshd } from '#test/slurm/sshd.ts';
import { Faults } from './faults.ts';
import type { Line } from './lines.ts';

/** A login node on which single commands can be lost, or their answers. */
export interface CommandLine extends Line {
  readonly sshd: Sshd;
}

/**
 * An sshd that runs each command only if the line lets it pass, and tells its answer only if that
 * passes, too. A lost command ends like a session whose login shell is gone.
 */
export async function openCommandLine(
  environment: Readonly<Record<string, string>>,
  entrance: readonly string[] = [],
): Promise<CommandLine> {
  const faults = new Faults();
  const running = new Map<string, { end: () => void; over: Promise<unknown> }>();
  const answer = (response: ServerResponse, status: number) => response.writeHead(status).end();
  const server = createServer(async (request, response) => {
    const [, step = '', id = ''] = (request.url ?? '').split('/');
    const command = (await buffer(request)).toString();
    if (step === 'begin') {
      const { promise: ended, resolve: end } = Promise.withResolvers<void>();
      const over = faults.pass(nameCommand(command), () => {
        answer(response, 200);
        return ended;
      });
      running.set(id, { end, over });
      // Lost before it began.
      over.catch(() => response.writableEnded || answer(response, 503));
      return;
    }
    const call = running.get(id);
    call?.end();
    const passes = await call?.over.then(
      () => true,
      () => false,
    );
    answer(response, passes ? 200 : 503);
  });
  const directory = await mkdtemp(join(tmpdir(), 'slipway-line-'));
  await chmod(directory, 0o755);
  // A file, because a closed network has no way to a port of this one.
  const socket = join(directory, 'socket');
  await new Promise<void>((resolve) => server.listen(socket, resolve));
  await chmod(socket, 0o777);
  const wrapper = join(directory, 'pass');
  await writeFile(wrapper, writeWrapper(socket), { mode: 0o755 });
  const sshd = await startSshd({ environment, entrance, lines: [`ForceCommand ${wrapper}`] });
  return {
    sshd,
    faults,
    async close() {
      await sshd.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await rm(directory, { recursive: true, force: true });
    },
  };
}

const commands = /'((?:sbatch|scancel|squeue|sacct|scontrol|\/bin\/sh))'/;

function nameCommand(line: string): string {
  return commands.exec(line.replaceAll("'\\''", "'"))?.[1] ?? line;
}

function writeWrapper(socket: string): string {
  return `#!/bin/bash
id=$$-$RANDOM$RANDOM
tell() {
  curl -q -s -f -o /dev/null --unix-socket ${socket} --data-binary "$SSH_ORIGINAL_COMMAND" \\
    "http://line/$1/$id" </dev/null
}
tell begin || exit 255
out=$(mktemp) err=$(mktemp)
trap 'rm -f "$out" "$err"' EXIT
/bin/sh -c "$SSH_ORIGINAL_COMMAND" >"$out" 2>"$err"
code=$?
tell end || exit 255
cat "$out"
cat "$err" >&2
exit "$code"
`;
}
