/** A request as far as it says which page sent it. */
export interface AskingPage {
  readonly method: string;
  readonly origin: string | undefined;
  /** What the page wants to send, where its browser asks first. */
  readonly wanted: string | undefined;
}

interface AnyRequest {
  readonly method?: string | undefined;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
}

export function readAskingPage({ method = 'GET', headers }: AnyRequest): AskingPage {
  const text = (name: string) => {
    const value = headers[name];
    return typeof value === 'string' ? value : undefined;
  };
  return { method, origin: text('origin'), wanted: text('access-control-request-method') };
}
