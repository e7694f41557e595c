import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type { ServerNotification, ServerRequest } from '@modelcontextprotocol/sdk/types.js';
import type { SlipwayOnNode } from '../../../node/index.ts';
import type { Budget } from '../spending/budget.ts';

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
