import type { PutFile } from './put-file.ts';

/** How the service is reached. */
export interface Settings {
  /** The address of the service, as its operator gives it. */
  readonly baseUrl: string;
  /**
   * A token, or whatever gets one. It is asked before every request, and once more, with the token
   * that was refused, when the service does not accept it.
   */
  readonly token?: string | ((refused?: string) => string | Promise<string>);
  /** How often a request is sent again at most. */
  readonly retries?: number;
  /**
   * How many milliseconds one try may take until all of its answer is here, and how long a download
   * or an upload may stand still. A large body has more time, a second for every 20 KB. 40,000
   * unless it is given.
   */
  readonly timeout?: number;
  /** How many bytes an answer may have, files apart; 32,000,000 unless it is given. */
  readonly maxAnswerBytes?: number;
  /** After how many pages a list is given up; 10,000 unless it is given. */
  readonly maxPages?: number;
  /** Another fetch than the platform's. */
  readonly fetch?: typeof fetch;
  /** How a large file is sent to the storage, where fetch does not tell how far it has come. */
  readonly putFile?: PutFile;
  /** How a pause is made between two tries; for tests. */
  readonly pause?: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** What one call may say besides what it asks for. */
export interface CallOptions {
  readonly signal?: AbortSignal;
}
