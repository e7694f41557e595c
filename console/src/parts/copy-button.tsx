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
          () => announce('Your browser blocked copying. Select the text and copy it instead.'),
        );
      }}
    >
      {label} <Icon name="copy" />
    </button>
  );
}
