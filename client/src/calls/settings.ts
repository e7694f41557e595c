import type { NamedFile, PutFile } from './put-file.ts';

/** Settings of a client. */
export interface Settings {
  /** The address of the service. */
  readonly baseUrl: string;
  /**
   * A token, or a function that returns one. The function is called before every request, and again
   * with the refused token if the service does not accept it.
   */
  readonly token?: string | ((refused?: string) => string | Promise<string>);
  /** How often a request is retried. */
  readonly retries?: number;
  /**
   * How many milliseconds one try may take until its whole answer is here, and how long a download
   * or an upload may stall. A large body gets one more second for every 20 KB. Default: 40,000.
   */
  readonly timeout?: number;
  /** How many bytes an answer may have, except files. Default: 32,000,000. */
  readonly maxAnswerBytes?: number;
  /** How many pages a list may have. Default: 10,000. */
  readonly maxPages?: number;
  /** Replaces the platform's fetch. */
  readonly fetch?: typeof fetch;
  /** Sends a large file to the storage, on platforms whose fetch reports no progress. */
  readonly putFile?: PutFile;
  /**
   * Uploads a file in parts, and returns the id of the upload, or undefined if it should be sent in one
   * piece, as every file is without this function.
   */
  readonly sendParts?: (settings: Settings, file: NamedFile) => Promise<string | undefined>;
  /** Pauses between two tries. For tests. */
  readonly pause?: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** Options of one call. */
export interface CallOptions {
  readonly signal?: AbortSignal;
}
