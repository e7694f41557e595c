import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { Session } from '../session/session.ts';
import { createServer } from './create-server.ts';
import { openFolder } from './input/open-folder.ts';

export interface Limits {
  /** Seconds. */
  readonly budget: number;
  readonly folder: string | undefined;
}

/** Until the assistant closes its end, or Ctrl-C. Nothing else may write to stdout meanwhile. */
export async function serveAssistant(
  { connect, interrupt }: Session,
  { budget, folder }: Limits,
): Promise<void> {
  const server = createServer({ connect, budget, folder: openFolder(folder) });
  const closed = new Promise<void>((resolve) => {
    server.server.onclose = resolve;
  });
  const close = () => server.close();
  process.stdin.once('end', close);
  interrupt.addEventListener('abort', close, { once: true });
  await server.connect(new StdioServerTransport());
  await closed;
}
