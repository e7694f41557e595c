import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { RequestHandlerExtra } from '@modelcontextprotocol/sdk/shared/protocol.js';
import type {
  CallToolResult,
  ServerNotification,
  ServerRequest,
} from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import type { SlipwayOnNode } from '../../../node/index.ts';
import { explain } from '../../terminal/outcome.ts';
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

/** The answer of a tool: data for the assistant, and a few lines for people. */
interface Answer<Data> {
  readonly data: Data;
  readonly lines: readonly string[];
}

interface Tool<Input extends z.ZodObject, Output extends z.ZodObject> {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly input: Input;
  readonly outputSchema: Output;
  readonly annotations: (typeof hints)[keyof typeof hints];
  readonly run: (asked: z.infer<Input>, context: ToolContext) => Promise<Answer<z.infer<Output>>>;
}

interface ToolContext extends ToolSet {
  readonly tools: ToolSet;
  readonly client: SlipwayOnNode;
  readonly call: ToolCall;
  readonly signal: AbortSignal;
}

/** The input of tools that take none. */
export const noInput = z.object({});

/** Returns a function that adds the tool to a session. */
export function defineTool<Input extends z.ZodObject, Output extends z.ZodObject>({
  name,
  input,
  run,
  ...config
}: Tool<Input, Output>) {
  const inputSchema: z.ZodObject = input;
  return (tools: ToolSet): void => {
    tools.server.registerTool(name, { ...config, inputSchema }, (asked, call) =>
      answer(async () => {
        const { signal } = call;
        return run(input.parse(asked), { ...tools, tools, client: tools.connect(), call, signal });
      }),
    );
  };
}

/** Runs a tool. Errors become answers with the command's own messages and no stack trace. */
async function answer(
  work: () => Promise<Answer<Record<string, unknown>>>,
): Promise<CallToolResult> {
  try {
    const { data, lines } = await work();
    return { structuredContent: data, content: [writeText(lines)] };
  } catch (error) {
    return { isError: true, content: [writeText(explain(error, false).lines)] };
  }
}

function writeText(lines: readonly string[]) {
  return { type: 'text' as const, text: lines.join('\n') };
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
