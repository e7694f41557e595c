/** How the service is reached. */
export interface Settings {
  /** The address of the service, as its operator gives it. */
  readonly baseUrl: string;
  /** A token, or whatever gets a fresh one: it is asked again when the service refuses the old one. */
  readonly token?: string | (() => string | Promise<string>);
  /** How often a request is sent again at most. */
  readonly retries?: number;
  /** Another fetch than the platform's. */
  readonly fetch?: typeof fetch;
  /** How a pause is made between two tries; for tests. */
  readonly pause?: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** What one call may say besides what it asks for. */
export interface CallOptions {
  readonly signal?: AbortSignal;
}
