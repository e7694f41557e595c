import { setTimeout as pause } from 'node:timers/promises';
import { ServiceUnreachable } from '../../../index.ts';
import type { Session } from '../../session/session.ts';

/** Draws in place until Ctrl-C, which is how one leaves it. A service that is away comes back. */
export async function watch(
  { screen, interrupt }: Session,
  ms: number,
  read: () => Promise<readonly string[]>,
): Promise<void> {
  let lines: readonly string[] = [];
  let away: Date | undefined;
  while (!interrupt.aborted) {
    try {
      lines = await read();
      away = undefined;
    } catch (error) {
      if (!(error instanceof ServiceUnreachable)) throw error;
      away ??= new Date();
    }
    screen.redraw(
      away
        ? [...lines, `No answer since ${away.toLocaleTimeString()}. Nothing is lost; still trying.`]
        : lines,
    );
    await pause(ms, undefined, { signal: interrupt }).catch(() => undefined);
  }
}
