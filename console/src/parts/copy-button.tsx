import { announce } from '../live/announce.ts';
import { Button } from './form.tsx';
import { Icon } from './icon.tsx';
import { phrase } from './words.ts';

export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <Button
      class="plain"
      title={phrase('copy')}
      aria-label={label === text ? phrase('copyText', { text }) : undefined}
      onClick={() => {
        navigator.clipboard.writeText(text).then(
          () => announce(phrase('copied')),
          () => announce(phrase('copyingBlocked')),
        );
      }}
    >
      {label} <Icon name="copy" />
    </Button>
  );
}
