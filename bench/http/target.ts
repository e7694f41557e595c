/** One request as it is sent again and again. */
export interface HttpRequest {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Buffer | undefined;
}

/** What is measured: by several requests where one caller alone would meet the limits of one. */
export interface Target {
  readonly name: string;
  readonly url: string;
  readonly requests: readonly HttpRequest[];
}
