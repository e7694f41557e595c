import { InvalidArgumentError } from '@commander-js/extra-typings';

/** A user is a number; a project in its place would lead elsewhere. */
export function readUser(text: string): string {
  if (/^(0|[1-9]\d*)$/.test(text)) return text;
  throw new InvalidArgumentError(
    'Write the number of the user without leading zeros, such as 306328.',
  );
}
