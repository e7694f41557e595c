import type { Violations } from './rules.ts';
import { importsOf, type SourceFile } from './source-files.ts';

/** What a file counts as: itself, its folder, its area; undefined where it does not count. */
export type Grouping = (path: string) => string | undefined;

/**
 * Groups that import each other in a circle, at any distance, so that none can be read without the
 * rest: each circle as the names of its members.
 */
export function findCircles(files: readonly SourceFile[], groupOf: Grouping): Violations {
  const arrows = drawArrows(files, groupOf);
  const reached = new Map([...arrows.keys()].map((group) => [group, followArrows(group, arrows)]));
  const circles = [...reached]
    .filter(([group, others]) => others.has(group))
    .map(([group, others]) => [...others].filter((other) => reached.get(other)?.has(group)));
  return [...new Set(circles.map((members) => members.sort().join(', ')))];
}

function drawArrows(files: readonly SourceFile[], groupOf: Grouping): Map<string, Set<string>> {
  const arrows = new Map<string, Set<string>>();
  for (const file of files) {
    const group = groupOf(file.path);
    if (group === undefined) continue;
    const known = arrows.get(group) ?? new Set();
    for (const other of importsOf(file).map(groupOf)) {
      if (other !== undefined && other !== group) known.add(other);
    }
    arrows.set(group, known);
  }
  return arrows;
}

/** All that can be reached in one step or more. */
function followArrows(start: string, arrows: ReadonlyMap<string, ReadonlySet<string>>) {
  const reached = new Set<string>();
  const waiting = [start];
  for (let group = waiting.pop(); group !== undefined; group = waiting.pop()) {
    for (const next of arrows.get(group) ?? []) {
      if (!reached.has(next)) waiting.push(next);
      reached.add(next);
    }
  }
  return reached;
}
