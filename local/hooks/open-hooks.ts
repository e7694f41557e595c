import { appendFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventSource } from '#lib/events/publish-events.ts';
import type { Table } from '#lib/table/table.ts';
import { parseBusEvent } from '#lib/webhooks/deliveries/queue-deliveries.ts';
import { openPrivateFolder } from '../credentials/private-folder.ts';
import type { LoadedListener } from '../stream/call-listeners.ts';
import { openHookFolder } from './hook-folder.ts';
import { queueHook } from './hook-queue.ts';
import { type HookRun, runDueHooks } from './run-due-hooks.ts';

export interface HookSettings {
  /** The folder of hooks. Undefined if the operator has none. */
  readonly hooksDirectory?: string | undefined;
  /** Where their log is. */
  readonly stateDirectory: string;
}

/** What the bus calls, and what the clock calls. */
export interface Hooks {
  readonly name: string;
  readonly listener: LoadedListener;
  call(): Promise<void>;
}

/** Opens the hooks of a service on one machine. They have no place on AWS, where rules call programs. */
export function openHooks(
  table: Table,
  { hooksDirectory, stateDirectory }: HookSettings,
): Hooks | undefined {
  if (hooksDirectory === undefined) return undefined;
  const folder = openHookFolder(hooksDirectory);
  const log = openHookLog(stateDirectory);
  return {
    name: 'run-hooks',
    listener: {
      name: 'queue-hooks',
      source: eventSource,
      async handler(told) {
        const event = parseBusEvent(told);
        if (folder.find(event.type)) await queueHook(table, event, new Date());
      },
    },
    call: () => runDueHooks(table, { folder, log }),
  };
}

/** The file to which each run adds a line. */
const hookLogFile = 'hooks.log';

/** Failures are told on standard error, too, where operators look first. */
function openHookLog(stateDirectory: string): (run: HookRun) => void {
  const file = join(stateDirectory, hookLogFile);
  openPrivateFolder(stateDirectory, [hookLogFile]);
  return (run) => {
    appendFileSync(file, `${JSON.stringify(run)}\n`, { mode: 0o600 });
    const { type, queue, reason, output, nextTry } = run;
    if (reason === undefined) return;
    const next = nextTry ? `Next try at ${nextTry.toISOString()}.` : 'It is given up.';
    process.stderr.write(
      `The hook ${type} failed for ${queue} (${reason}). ${next}${output && ` It says: ${output}`}\n`,
    );
  };
}
