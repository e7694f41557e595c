import { findKind } from '../kinds/system-kinds.ts';
import type { SystemDraft } from './draft.ts';
import type { Problem } from './parse-json.ts';

/** Finds containers that the kind of the system does not have, or that could not show a data set. */
export function judgeContainers({ connector, containers, datasets }: SystemDraft): Problem[] {
  const { kind: name = '' } = connector.texts;
  const kind = findKind(name);
  if (!kind || !containers) return [];
  const { runtimes = [] } = kind;
  const { runtime } = containers;
  if (runtimes.length === 0) {
    const text = `is there, but the connector ${name} runs no images; leave it out`;
    return [{ path: ['containers'], text }];
  }
  const offered: readonly string[] = runtimes;
  if (runtime !== undefined && !offered.includes(runtime)) {
    const text = `is "${runtime}"; with the connector ${name} it must be ${offered.map((each) => `"${each}"`).join(' or ')}`;
    return [{ path: ['containers', 'runtime'], text }];
  }
  if (runtime === 'batch') return [];
  return datasets.flatMap(({ path = '' }, at) =>
    /[:,]/.test(path)
      ? [
          {
            path: ['datasets', at, 'path'],
            text: `is "${path}"; beside containers it must have no colons or commas`,
          },
        ]
      : [],
  );
}
