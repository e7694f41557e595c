import { announce } from '../live/announce.ts';
import { Icon } from './icon.tsx';

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
      {label} <Icon name="copy" />
    </button>
  );
}
