import type { ComponentChildren } from 'preact';
import {
  fillParts,
  findTranslation,
  type Message,
  type Values,
} from '#client/src/words/language.ts';

/** Writes a message whose parameters may be elements, such as a link within a sentence. */
type Rich<English> = <Key extends keyof English & string>(
  key: Key,
  values: Values<English[Key], ComponentChildren>,
) => ComponentChildren;

export function createRich<const English extends Readonly<Record<keyof English, Message>>>(
  catalogue: string,
  messages: English,
): Rich<English> {
  return (key, values) =>
    fillParts<ComponentChildren>(findTranslation(catalogue, key) ?? messages[key], values);
}
