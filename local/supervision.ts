import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import * as v from 'valibot';
import { readEnvironment, takeEnvironment } from '#lib/config.ts';

/** What systemd tells a service about itself (sd_listen_fds(3), sd_notify(3)). */
const SupervisionEnvironment = v.object({
  LISTEN_PID: v.optional(v.string()),
  LISTEN_FDS: v.optional(v.string()),
  LISTEN_FDNAMES: v.optional(v.string()),
  NOTIFY_SOCKET: v.optional(v.string()),
  WATCHDOG_PID: v.optional(v.string()),
  WATCHDOG_USEC: v.optional(v.string()),
});

const PathEnvironment = v.object({ PATH: v.optional(v.string()) });

type Told = v.InferOutput<typeof SupervisionEnvironment>;

export interface Supervision {
  /** The descriptor of a listening socket that outlives this process. */
  readonly keptSocket: number | undefined;
  /** Reports that requests are answered from now on, and again and again that the process lives. */
  reportReady(): Promise<void>;
  reportStopping(): Promise<void>;
}

/** The first descriptor that is passed. */
const firstPassed = 3;

/** Reads what systemd has told this process alone. Programs that it starts don't get the socket: Node closes it. */
export function openSupervision(): Supervision {
  const told = takeEnvironment(SupervisionEnvironment);
  const { NOTIFY_SOCKET: socket } = told;
  const notify = async (...state: string[]) => {
    if (socket !== undefined) await sendState(socket, state);
  };
  return {
    keptSocket: findKeptSocket(told, process.pid),
    async reportReady() {
      await notify('READY=1');
      const periodMs = readWatchdogMs(told, process.pid);
      if (periodMs === undefined) return;
      // A missed report is no failure yet: systemd waits for the second one.
      setInterval(() => void notify('WATCHDOG=1').catch(() => undefined), periodMs / 2).unref();
    },
    reportStopping: () => notify('STOPPING=1').catch(() => undefined),
  };
}

/** Returns undefined if no socket was passed to this process. A child may see its parent's variables. */
export function findKeptSocket({ LISTEN_PID, LISTEN_FDS }: Told, pid: number): number | undefined {
  if (LISTEN_FDS === undefined || LISTEN_PID !== String(pid)) return undefined;
  if (LISTEN_FDS === '1') return firstPassed;
  throw new Error(
    `The service listens on one socket, and systemd has passed ${LISTEN_FDS}. Name one address in slipway.socket (ListenStream=).`,
  );
}

/** Returns undefined if nobody watches this process. */
export function readWatchdogMs({ WATCHDOG_PID, WATCHDOG_USEC }: Told, pid: number) {
  const isOther = WATCHDOG_PID !== undefined && WATCHDOG_PID !== String(pid);
  return WATCHDOG_USEC === undefined || isOther ? undefined : Number(WATCHDOG_USEC) / 1000;
}

/** Node has no datagram sockets with a path, which sd_notify(3) needs, so a program of systemd sends it. */
async function sendState(socket: string, state: readonly string[]): Promise<void> {
  const env = { ...readEnvironment(PathEnvironment), NOTIFY_SOCKET: socket };
  try {
    await promisify(execFile)('systemd-notify', [...state], { env });
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`systemd cannot be told ${state}: ${reason.trim()}`, { cause });
  }
}
