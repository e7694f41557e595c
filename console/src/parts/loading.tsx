import type { ComponentChildren } from 'preact';
import { describeProblem } from '#client/src/changes/describe-problem.ts';
import { tell } from '#client/src/format/sentences/tell.ts';
import { ServiceUnreachable, SlipwayProblem } from '#client/src/index.ts';
import { session } from '../connection/session.ts';
import { CopyButton } from './copy-button.tsx';
import { Button } from './form.tsx';
import { phrase } from './words.ts';

interface LoadingProps {
  readonly value: unknown;
  readonly error: unknown;
  readonly refresh: () => void;
  readonly rows?: number;
}

/** Shows a skeleton until the value arrives, or why it could not be loaded. */
export function Loading({ value, error, refresh, rows = 3 }: LoadingProps) {
  if (error !== undefined) return <ProblemNote error={error} onRetry={refresh} />;
  return value === undefined ? <Skeleton rows={rows} /> : null;
}

/** Takes the shape of the coming content, so that nothing jumps when it arrives. */
export function Skeleton({ rows }: { readonly rows: number }) {
  return (
    <div class="skeleton" role="status" aria-label={phrase('loading')}>
      {Array.from({ length: rows }, (_, row) => (
        <span key={row} />
      ))}
    </div>
  );
}

/** Says that a list is empty, and what to do next. */
export function Empty({
  title,
  children,
}: {
  readonly title: string;
  readonly children: ComponentChildren;
}) {
  return (
    <div class="empty">
      <strong>{title}</strong>
      <p>{children}</p>
    </div>
  );
}

/** Says what happened, why, and what to do next. */
export function ProblemNote({
  error,
  onRetry,
  describe = describeProblem,
}: {
  readonly error: unknown;
  readonly onRetry?: () => void;
  readonly describe?: typeof describeProblem;
}) {
  const { title, detail, requestId } = explainProblem(error, describe);
  return (
    <div class="note bad" role="alert">
      <strong>{title}</strong>
      <p>{detail}</p>
      {[...problemsByField(error)]
        .map(([name, message]) => `${name}: ${message}`)
        // A single one is the detail already.
        .filter((line) => line !== detail)
        .map((line) => (
          <p key={line}>{line}</p>
        ))}
      <div class="line">
        {isRefused(error) && session.value && (
          <Button onClick={session.value.signInAgain}>{phrase('signInAgain')}</Button>
        )}
        {onRetry && <Button onClick={onRetry}>{phrase('tryAgain')}</Button>}
        {requestId !== undefined && (
          <CopyButton text={requestId} label={phrase('request', { id: requestId })} />
        )}
      </div>
    </div>
  );
}

/** True if the service did not accept the token. */
function isRefused(error: unknown): boolean {
  return error instanceof SlipwayProblem && error.status === 401;
}

interface Explained {
  readonly title: string;
  readonly detail: string;
  /** Operators find the request by it. */
  readonly requestId: string | undefined;
}

/** Explains an error to a person: what happened, and what to do. */
function explainProblem(error: unknown, describe: typeof describeProblem): Explained {
  if (error instanceof SlipwayProblem) {
    const { title, instance: requestId } = error.problem;
    if (isRefused(error)) {
      return { title: phrase('signInAgain'), detail: phrase('signInRefused'), requestId };
    }
    return { title: tell(title), detail: describe(error.problem), requestId };
  }
  if (error instanceof ServiceUnreachable) {
    return {
      title: phrase('noResponse'),
      detail: phrase('nothingIsLost'),
      requestId: undefined,
    };
  }
  const detail = error instanceof Error ? error.message : String(error);
  return { title: phrase('somethingWentWrong'), detail, requestId: undefined };
}

/** Returns the messages for single fields, by the name of the field. */
export function problemsByField(error: unknown): ReadonlyMap<string, string> {
  if (!(error instanceof SlipwayProblem)) return new Map();
  const named = error.problem.errors ?? [];
  return new Map(named.map(({ name, message }) => [name, tell(message)]));
}
