import type { JsonNode } from './json-node.ts';

/** Which way it goes: clients send it, and it must be taken as before; or it is what they get. */
export type Way = 'sent' | 'answered';

export interface Documents {
  readonly before: JsonNode;
  readonly after: JsonNode;
}

/** Two schemas of the same thing. */
export interface SchemaPair {
  readonly way: Way;
  readonly name: string;
  readonly before: JsonNode;
  readonly after: JsonNode;
}
