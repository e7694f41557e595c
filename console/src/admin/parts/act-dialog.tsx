import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { describeRefusal } from '#client/src/changes/describe-refusal.ts';
import type { Slipway } from '#client/src/index.ts';
import { useService } from '../../connection/session.ts';
import { announce } from '../../live/announce.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { Button, Form, ReasonField, useAttempt } from '../../parts/form.tsx';
import { ProblemNote, problemsByField } from '../../parts/loading.tsx';
import { phrase } from './words.ts';

type Problems = ReadonlyMap<string, string>;

/** What the page behind a dialog does after the act, and when the dialog closes. */
export interface Behind {
  readonly onDone: () => void;
  readonly onClose: () => void;
}

interface ActDialogProps<Answer> extends Behind {
  readonly title: string;
  /** Says what the act will do. Fields are shown with what is wrong with them. */
  readonly children: ComponentChildren | ((problems: Problems) => ComponentChildren);
  /** The words on the button. */
  readonly act: string;
  /** Whether it takes something away from somebody. */
  readonly danger?: boolean;
  /** Problems of the fields that are known before anything is sent. */
  readonly problems?: Problems;
  /** Says who can read the reason, if not the user. */
  readonly reasonHint?: string;
  readonly onAct: (service: Slipway, reason: string) => Promise<Answer>;
  /** Says what was done. */
  readonly done: string | ((answer: Answer) => string);
}

const none: Problems = new Map();

/** Asks an administrator for a reason before an act, and says what the act will do. */
export function ActDialog<Answer>(props: ActDialogProps<Answer>) {
  const { title, children, act, danger = false, problems = none, done, onClose } = props;
  const service = useService();
  const [reason, setReason] = useState('');
  const [tried, setTried] = useState(false);
  const { busy, error, attempt, clear } = useAttempt();
  const missing = reason.trim() === '' ? phrase('enterReason') : undefined;
  const refused = problemsByField(error);
  const run = async () => {
    setTried(true);
    if (missing !== undefined || problems.size > 0) return;
    await attempt(async () => {
      const answer = await props.onAct(service, reason.trim());
      props.onDone();
      announce(typeof done === 'string' ? done : done(answer));
      onClose();
    });
  };
  return (
    <Dialog title={title} onClose={onClose}>
      {/* A refusal says nothing of what is typed after it. */}
      <Form class="asked" noValidate onInput={clear} onSubmit={run}>
        {typeof children === 'function'
          ? children(tried && problems.size > 0 ? problems : refused)
          : children}
        <ReasonField
          value={reason}
          hint={props.reasonHint}
          error={tried ? (missing ?? refused.get('reason')) : undefined}
          onValue={setReason}
        />
        {error !== undefined && <ProblemNote error={error} describe={describeRefusal} />}
        <div class="line end">
          <Button onClick={onClose}>{phrase('goBack')}</Button>
          <button type="submit" class={danger ? 'danger' : 'main'} disabled={busy}>
            {act}
          </button>
        </div>
      </Form>
    </Dialog>
  );
}
