import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { announce } from '../../live/announce.ts';
import { ReasonField } from '../../parts/fields.tsx';
import { ProblemNote, problemsByField } from '../../parts/problem-note.tsx';

interface ActDialogProps {
  readonly title: string;
  /** What it will do; with fields, where it needs any, and what is wrong with them. */
  readonly children: (problems: ReadonlyMap<string, string>) => ComponentChildren;
  /** The word on the button. */
  readonly act: string;
  /** It takes something away from somebody. */
  readonly danger?: boolean;
  /** What is wrong with its fields, before anything is sent. */
  readonly problems?: ReadonlyMap<string, string>;
  /** Does it, and says what was done. */
  readonly onAct: (reason: string) => Promise<string>;
  readonly onClose: () => void;
}

const none: ReadonlyMap<string, string> = new Map();

/** An act of an administrator: what it will do, and why it is done, before the button. */
export function ActDialog(props: ActDialogProps) {
  const { title, children, act, danger = false, problems = none, onAct, onClose } = props;
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  const [reason, setReason] = useState('');
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  useEffect(() => dialog.current?.showModal(), []);
  const missing = reason.trim() === '' ? 'Say why: the audit keeps it.' : undefined;
  const refused = problemsByField(error);
  const run = async () => {
    setTried(true);
    if (missing !== undefined || problems.size > 0) return;
    setBusy(true);
    setError(undefined);
    try {
      announce(await onAct(reason.trim()));
      onClose();
    } catch (failure) {
      setBusy(false);
      setError(failure);
    }
  };
  return (
    <dialog ref={dialog} onClose={onClose} aria-labelledby={titleId}>
      <form
        class="asked"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        <h2 id={titleId}>{title}</h2>
        {children(tried && problems.size > 0 ? problems : refused)}
        <ReasonField
          reason={reason}
          error={tried ? (missing ?? refused.get('reason')) : undefined}
          onReason={setReason}
        />
        {error !== undefined && refused.size === 0 && <ProblemNote error={error} />}
        <div class="line end">
          <button type="button" onClick={onClose}>
            Leave it
          </button>
          <button type="submit" class={danger ? 'danger' : 'main'} disabled={busy}>
            {act}
          </button>
        </div>
      </form>
    </dialog>
  );
}
