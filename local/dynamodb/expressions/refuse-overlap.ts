import type { ExpressionName, Path } from '../parsing/syntax.ts';
import { invalid } from '../refusals/service-error.ts';

/** No path of an expression may lie within another, nor take for a list what another takes for a map. */
export function refuseOverlap(expression: ExpressionName, paths: readonly Path[]): void {
  for (const [place, one] of paths.entries()) {
    for (const other of paths.slice(place + 1)) {
      const relation = relate(one, other);
      if (relation === undefined) continue;
      throw invalid(
        `Invalid ${expression}: Two document paths ${relation} with each other; ` +
          'must remove or rewrite one of these paths; ' +
          `path one: ${showPath(one)}, path two: ${showPath(other)}`,
      );
    }
  }
}

function relate(one: Path, other: Path): 'overlap' | 'conflict' | undefined {
  const common = Math.min(one.length, other.length);
  for (let place = 0; place < common; place += 1) {
    if (one[place] === other[place]) continue;
    return typeof one[place] === typeof other[place] ? undefined : 'conflict';
  }
  return 'overlap';
}

export function showPath(path: Path): string {
  return `[${path.map((part) => (typeof part === 'number' ? `[${part}]` : part)).join(', ')}]`;
}
