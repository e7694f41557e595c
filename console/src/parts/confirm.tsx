import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { ProblemNote } from './problem-note.tsx';

interface ConfirmProps {
  readonly title: string;
  /** What it will do. */
  readonly children: ComponentChildren;
  readonly act: string;
  readonly onAct: () => Promise<unknown>;
  readonly onClose: () => void;
}

/** Before something that cannot be taken back. It stays open, with the reason, where it fails. */
export function Confirm({ title, children, act, onAct, onClose }: ConfirmProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  useEffect(() => dialog.current?.showModal(), []);
  const run = () => {
    setBusy(true);
    setError(undefined);
    onAct().then(onClose, (reason: unknown) => {
      setBusy(false);
      setError(reason);
    });
  };
  return (
    <dialog ref={dialog} onClose={onClose} aria-labelledby="confirm-title">
      <h2 id="confirm-title">{title}</h2>
      <div>{children}</div>
      {error !== undefined && <ProblemNote error={error} />}
      <div class="line end">
        <button type="button" onClick={onClose}>
          Leave it
        </button>
        <button type="button" class="danger" disabled={busy} onClick={run}>
          {act}
        </button>
      </div>
    </dialog>
  );
}
