import { goOn, holdOn, pending, undo } from '../live/undo.ts';

export function UndoNote() {
  const { value } = pending;
  return (
    <div class="announced undo" role="status">
      {value && (
        <div
          class="line"
          onPointerEnter={holdOn}
          onPointerLeave={goOn}
          onFocusIn={holdOn}
          onFocusOut={goOn}
        >
          {value.text} in a moment.
          <button type="button" onClick={undo}>
            Undo
          </button>
        </div>
      )}
    </div>
  );
}
