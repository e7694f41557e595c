import { findKind } from '../kinds/system-kinds.ts';
import type { SystemDraft } from './draft.ts';
import type { Problem } from './parse-json.ts';

/** Finds folders of projects that would be one folder, or that nobody would find. */
export function judgeKeep({
  connector,
  containers,
  keep,
  runsAs = 'service',
}: SystemDraft): Problem[] {
  if (!keep) return [];
  const { path, projects } = keep;
  const { kind: name = '' } = connector.texts;
  if (path === undefined) {
    const why = findKind(name)?.wantsKeptPath?.(runsAs);
    if (why === undefined) return [];
    return [{ path: ['keep', 'path'], text: `is missing; ${why}` }];
  }
  if (projects.length !== 1 && !path.includes('{project}')) {
    const text = `is "${path}"; with several projects it must have {project} in it, so that each has a folder of its own`;
    return [{ path: ['keep', 'path'], text }];
  }
  if (!containers || containers.runtime === 'batch' || !/[:,]/.test(path)) return [];
  const text = `is "${path}"; beside containers it must have no colons or commas`;
  return [{ path: ['keep', 'path'], text }];
}
