import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { announce } from '../../live/announce.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { ReasonField } from '../../parts/fields.tsx';
import { ProblemNote, problemsByField } from '../../parts/problem-note.tsx';

interface ActDialogProps {
  readonly title: string;
  /** Says what the act will do, with its fields and what is wrong with them. */
  readonly children: (problems: ReadonlyMap<string, string>) => ComponentChildren;
  /** The words on the button. */
  readonly act: string;
  /** Whether it takes something away from somebody. */
  readonly danger?: boolean;
  /** Problems of the fields that are known before anything is sent. */
  readonly problems?: ReadonlyMap<string, string>;
  /** Acts, and returns what was done. */
  readonly onAct: (reason: string) => Promise<string>;
  readonly onClose: () => void;
}

const none: ReadonlyMap<string, string> = new Map();

/** Asks an administrator for a reason before an act, and says what the act will do. */
export function ActDialog(props: ActDialogProps) {
  const { title, children, act, danger = false, problems = none, onAct, onClose } = props;
  const [reason, setReason] = useState('');
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>();
  const missing = reason.trim() === '' ? 'Enter a reason. The audit keeps it.' : undefined;
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
    <Dialog title={title} onClose={onClose}>
      <form
        class="asked"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void run();
        }}
      >
        {children(tried && problems.size > 0 ? problems : refused)}
        <ReasonField
          value={reason}
          error={tried ? (missing ?? refused.get('reason')) : undefined}
          onValue={setReason}
        />
        {error !== undefined && refused.size === 0 && <ProblemNote error={error} />}
        <div class="line end">
          <button type="button" onClick={onClose}>
            Go back
          </button>
          <button type="submit" class={danger ? 'danger' : 'main'} disabled={busy}>
            {act}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
