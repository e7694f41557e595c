import type { ByteSource } from '#lib/byte-streams/byte-stream.ts';
import type { OpenedFile } from './connector.ts';

export interface UpstreamCall {
  readonly url: string | URL;
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly headers?: Readonly<Record<string, string>>;
  /** A source is opened for each try, and goes out piece by piece. */
  readonly body?: string | ByteSource;
  /** For the whole call, its answer included; where bytes are streamed, for any of them to move. */
  readonly timeoutSeconds?: number;
  readonly maxAnswerBytes?: number;
  /** Whether a 2xx is given as a stream, in `content`, and not read. */
  readonly streams?: boolean;
  /**
   * Looks at an answer before it is classified by its status: true hands it to the caller as it
   * is; an error that this throws is the outcome. For systems whose 5xx carries a plain refusal.
   */
  readonly takesAnswer?: (answer: UpstreamAnswer) => boolean | Promise<boolean>;
}

export interface UpstreamAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Uint8Array;
  /** Of a call that streams: whoever gets it reads it or cancels it. */
  readonly content?: OpenedFile;
}
