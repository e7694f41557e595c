import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';
import type { SlipwayOnNode } from '../../../node/index.ts';
import type { Budget } from './spending.ts';

/** What the tools of one session work with. */
export interface ToolSet {
  readonly server: McpServer;
  /** Anew for each call: the user may have signed in again meanwhile. */
  readonly connect: () => SlipwayOnNode;
  readonly budget: Budget;
  /** The folder that files may come from; without one, none. */
  readonly folder: string | undefined;
}

/** A call of a tool, which may be given up and may want to hear how it goes. */
export type ToolCall = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** How a client may treat a tool. None of them reaches beyond the service. */
export const hints = {
  reads: { readOnlyHint: true, openWorldHint: false },
  /** Each call is another job. */
  submits: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: false,
  },
  /** What was computed so far is lost; a second time changes nothing. */
  cancels: {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: true,
    openWorldHint: false,
  },
} as const;

/** So that a client which waits for a sign of life gets one. */
const everyMs = 5_000;

/** Tells a client that asked for it how a call goes: at once, at every change and now and then. */
export function tellProgress(call: ToolCall, total: number, first: string) {
  const token = call._meta?.progressToken;
  if (token === undefined) return { say: () => undefined, stop: () => undefined };
  const begun = performance.now();
  let message = first;
  const tell = () => {
    const progress = (performance.now() - begun) / 1000;
    const params = { progressToken: token, progress, total, message };
    // A client that is gone needs no progress.
    call.sendNotification({ method: 'notifications/progress', params }).catch(() => undefined);
  };
  const timer = setInterval(tell, everyMs);
  tell();
  return {
    say: (words: string): void => {
      message = words;
      tell();
    },
    stop: (): void => clearInterval(timer),
  };
}
