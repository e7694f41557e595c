import * as v from 'valibot';
import type { ApiDocument } from './document.ts';
import { heading } from './write-operations.ts';

const Enumeration = v.object({ enum: v.array(v.string()) });

const Choices = v.object({
  Act: v.object({ properties: v.object({ kind: Enumeration }) }),
  Webhook: v.object({
    properties: v.object({ events: v.object({ items: Enumeration }) }),
  }),
});

/** Writes the values of enumerations as lists, because a menu cannot show a type. */
export function writeChoices({ components }: ApiDocument): string {
  const { Act, Webhook } = v.parse(Choices, components.schemas);
  return `${heading}export const actKinds = ${writeList(Act.properties.kind)};

export const eventNames = ${writeList(Webhook.properties.events.items)};
`;
}

function writeList({ enum: values }: v.InferOutput<typeof Enumeration>): string {
  return `${JSON.stringify(values)} as const`;
}
