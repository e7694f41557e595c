/** What Lambda tells of a failure, by its own names. */
export interface FunctionError {
  readonly errorType: string;
  readonly errorMessage: string;
}

/** What became of an invocation: what the handler answered, or what went wrong. */
export type Outcome = { readonly answer: unknown } | { readonly error: FunctionError };

/** How a process ended, as Node tells it. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

export function describeTimeout(requestId: string, seconds: number): FunctionError {
  return {
    errorType: 'Sandbox.Timedout',
    errorMessage: `RequestId: ${requestId} Error: Task timed out after ${seconds.toFixed(2)} seconds`,
  };
}

export function describeExit(requestId: string, exit: Exit): FunctionError {
  return {
    errorType: 'Runtime.ExitError',
    errorMessage: `RequestId: ${requestId} Error: Runtime exited ${nameReason(exit)}`,
  };
}

/** Lambda names signals by their effect; only a kill comes about here. */
function nameReason({ code, signal }: Exit): string {
  if (signal === 'SIGKILL') return 'with error: signal: killed';
  if (signal !== null) return `with error: signal: ${signal}`;
  return code === 0 ? 'without providing a reason' : `with error: exit status ${code}`;
}
