import { announce } from '../live/announce.ts';

export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <button
      type="button"
      class="plain"
      title="Copy"
      onClick={() => {
        navigator.clipboard.writeText(text).then(
          () => announce('Copied.'),
          () => announce('This browser does not let pages copy.'),
        );
      }}
    >
      {label} <span aria-hidden="true">⧉</span>
    </button>
  );
}
