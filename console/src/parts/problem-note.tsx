import { CopyButton } from './copy-button.tsx';
import { explainProblem } from './explain-problem.ts';

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
