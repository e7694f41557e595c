import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { Button, Form, TextField, useAttempt } from './form.tsx';
import { ProblemNote } from './loading.tsx';
import { phrase } from './words.ts';

interface DialogProps {
  readonly title: string;
  readonly children: ComponentChildren;
  readonly onClose: () => void;
}

export function Dialog({ title, children, onClose }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} onClose={onClose} aria-labelledby={titleId}>
      <h2 id={titleId}>{title}</h2>
      {children}
    </dialog>
  );
}

interface ConfirmProps extends DialogProps {
  /** The words on the button. */
  readonly act: string;
  readonly onAct: () => Promise<unknown>;
}

/** Asks before something that cannot be undone. If it fails, the dialog stays open with the reason. */
export function Confirm({ title, children, act, onAct, onClose }: ConfirmProps) {
  const { busy, error, attempt } = useAttempt();
  const run = () => attempt(() => onAct().then(onClose));
  return (
    <Dialog title={title} onClose={onClose}>
      <div>{children}</div>
      {error !== undefined && <ProblemNote error={error} />}
      <div class="line end">
        <Button onClick={onClose}>{phrase('goBack')}</Button>
        <Button class="danger" disabled={busy} onClick={run}>
          {act}
        </Button>
      </div>
    </Dialog>
  );
}

interface NameDialogProps extends Omit<DialogProps, 'children'> {
  /** The words on the button. */
  readonly act: string;
  readonly hint: string;
  /** Proposed. */
  readonly name?: string;
  readonly onName: (name: string) => void;
}

/** Asks for a name to save something under. */
export function NameDialog({ title, act, hint, name = '', onName, onClose }: NameDialogProps) {
  const [typed, setTyped] = useState(name);
  return (
    <Dialog title={title} onClose={onClose}>
      <Form
        class="asked"
        onSubmit={() => {
          if (typed.trim() === '') return;
          onName(typed.trim());
          onClose();
        }}
      >
        <TextField
          label={phrase('name')}
          hint={hint}
          required
          maxLength={60}
          value={typed}
          onValue={setTyped}
        />
        <div class="line end">
          <Button onClick={onClose}>{phrase('goBack')}</Button>
          <button type="submit" class="main">
            {act}
          </button>
        </div>
      </Form>
    </Dialog>
  );
}
