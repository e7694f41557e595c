import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { CannotDo, outcome } from '../../outcome/outcome.ts';

/** A person may be away from the desk; whoever waits for the assistant may give up sooner. */
const patienceMs = 10 * 60_000;

/** Whether the user agrees; nothing where the assistant has no way to ask. */
export type AskUser = (question: string) => Promise<boolean | undefined>;

export function createAskUser({ server }: McpServer, signal: AbortSignal): AskUser {
  return async (message) => {
    if (!server.getClientCapabilities()?.elicitation?.form) return undefined;
    const { action } = await server
      .elicitInput(
        { message, requestedSchema: { type: 'object', properties: {} } },
        { signal, timeout: patienceMs },
      )
      .catch(() => {
        throw new CannotDo('The user was asked, and no answer came. Nothing was submitted.', {
          outcome: outcome.refused,
          next: 'Ask the user what to do.',
        });
      });
    // An answer that comes after the assistant gave up is no longer an answer to it.
    signal.throwIfAborted();
    return action === 'accept';
  };
}
