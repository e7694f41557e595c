import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';
import type { SlipwayOnNode } from '../../../node/index.ts';
import type { Budget } from './budget.ts';

/** The context shared by the tools of one session. */
export interface ToolSet {
  readonly server: McpServer;
  /** Opens a new client for each call, because the user may have signed in again. */
  readonly connect: () => SlipwayOnNode;
  readonly budget: Budget;
  /** The folder that the assistant may submit, with links resolved. If undefined, none. */
  readonly folder: string | undefined;
}

/** The context of a tool call, with its abort signal and progress token. */
export type ToolCall = RequestHandlerExtra<ServerRequest, ServerNotification>;

/** MCP annotations of the tools. No tool reaches beyond the service, so the world is closed. */
export const hints = {
  reads: { readOnlyHint: true, openWorldHint: false },
  /** Not idempotent, because each call creates another job. */
  submits: {
    readOnlyHint: false,
    destructiveHint: false,
    idempotentHint: false,
    openWorldHint: false,
  },
  /** Destructive, because unfinished work is lost. A second call changes nothing. */
  cancels: {
    readOnlyHint: false,
    destructiveHint: true,
    idempotentHint: true,
    openWorldHint: false,
  },
} as const;

/** Progress is repeated this often, so that clients do not time out during a silent call. */
const everyMs = 5_000;

/** Reports progress to clients that asked for it: at once, on each change and at intervals. */
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
