import { describeProblem } from '#client/src/changes/describe-problem.ts';
import { ServiceUnreachable, SlipwayProblem } from '#client/src/index.ts';
import { CopyButton } from './copy-button.tsx';

/** What happened, why, and the one next step. */
export function ProblemNote({
  error,
  onRetry,
}: {
  readonly error: unknown;
  readonly onRetry?: () => void;
}) {
  const { title, detail, requestId } = explainProblem(error);
  return (
    <div class="note bad" role="alert">
      <strong>{title}</strong>
      <p>{detail}</p>
      <div class="line">
        {onRetry && (
          <button type="button" onClick={onRetry}>
            Try again
          </button>
        )}
        {requestId !== undefined && <CopyButton text={requestId} label={`Request ${requestId}`} />}
      </div>
    </div>
  );
}

interface Explained {
  readonly title: string;
  readonly detail: string;
  /** By which an operator finds the request. */
  readonly requestId: string | undefined;
}

/** An error as a person reads it: what happened, and what to do. */
function explainProblem(error: unknown): Explained {
  if (error instanceof SlipwayProblem) {
    const { title, instance: requestId } = error.problem;
    return { title, detail: describeProblem(error.problem), requestId };
  }
  if (error instanceof ServiceUnreachable) {
    return {
      title: 'The service does not answer',
      detail: 'Nothing is lost: jobs go on without this page. It is tried again by itself.',
      requestId: undefined,
    };
  }
  const detail = error instanceof Error ? error.message : String(error);
  return { title: 'That did not work', detail, requestId: undefined };
}

/** What is wrong with which field, by its name. */
export function problemsByField(error: unknown): ReadonlyMap<string, string> {
  if (!(error instanceof SlipwayProblem)) return new Map();
  const named = error.problem.errors ?? [];
  return new Map(named.map(({ name, message }) => [name, message]));
}
