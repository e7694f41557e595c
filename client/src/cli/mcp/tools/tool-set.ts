import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';
import type { SlipwayOnNode } from '../../../node/index.ts';
import type { Budget } from './spending.ts';

/** The context that the tools of one session share. */
export interface ToolSet {
  readonly server: McpServer;
  /** Opens a new client for each call, because the user may have signed in again. */
  readonly connect: () => SlipwayOnNode;
  readonly budget: Budget;
  /** The folder that files may come from. Without it, no files. */
  readonly folder: string | undefined;
}

/** A call of a tool, with its signal and its progress token. */
export type ToolCall = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** Hints for clients on how to treat a tool. No tool reaches beyond the service. */
export const hints = {
  reads: { readOnlyHint: true, openWorldHint: false },
  /** Each call makes another job. */
  submits: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: false,
  },
  /** Loses what was computed so far. A second call changes nothing. */
  cancels: {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: true,
    openWorldHint: false,
  },
} as const;

/** Keeps clients from giving up on a silent call. */
const everyMs = 5_000;

/** Reports progress to a client that asked for it: at once, at every change, and regularly. */
export function tellProgress(call: ToolCall, total: number, first: string) {
  const token = call._meta?.progressToken;
  if (token === undefined) return { say: () => undefined, stop: () => undefined };
  const begun = performance.now();
  let message = first;
  const tell = () => {
    const progress = (performance.now() - begun) / 1000;
    const params = { progressToken: token, progress, total, message };
    // The client may be gone.
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
