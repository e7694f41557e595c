import type { JsonSchema } from './component-schemas.ts';
import { links } from './words/links.ts';

/**
 * Adds to the answers of an operation where they lead. Operations at several paths share the links
 * of the first, unless they have their own.
 */
export function addLinks(
  { id, variant }: { readonly id: string; readonly variant: string },
  answers: Readonly<Record<string, JsonSchema>>,
): Record<string, JsonSchema> {
  const rows = links[`${id}${variant}`] ?? links[id] ?? [];
  return Object.fromEntries(
    Object.entries(answers).map(([status, answer]) => {
      const led = rows
        .filter(({ statuses }) => statuses.includes(Number(status)))
        .flatMap(({ to, parameters }) =>
          to.map((operationId) => [operationId, { operationId, parameters }]),
        );
      return [status, led.length === 0 ? answer : { ...answer, links: Object.fromEntries(led) }];
    }),
  );
}
