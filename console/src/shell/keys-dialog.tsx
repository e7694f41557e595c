import { useEffect, useRef } from 'preact/hooks';
import { session } from '../connection/session.ts';
import { keys, keysShown } from './shortcuts.ts';

export function KeysDialog() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  const known = keys.filter((key) => !('administrators' in key) || session.value?.administrator);
  const close = () => {
    keysShown.value = false;
  };
  return (
    <dialog ref={dialog} onClose={close} aria-labelledby="keys-title">
      <h2 id="keys-title">Keys</h2>
      <dl class="pairs">
        {known.map(({ key, does }) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <div class="line end">
        <button type="button" onClick={close}>
          Close
        </button>
      </div>
    </dialog>
  );
}
