import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { explain } from '../../outcome/explain.ts';

/** What a tool answers: data for the assistant, and a few lines that a person can read. */
export interface Answer<Data> {
  readonly data: Data;
  readonly lines: readonly string[];
}

/** A refusal is an answer too: in the words of the command, and never with a stack. */
export async function answer<Data extends Record<string, unknown>>(
  work: () => Promise<Answer<Data>>,
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
