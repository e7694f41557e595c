import { requiredPart, splitPath } from './compile-path.ts';
import { type Endpoint, listMethods } from './route.ts';

/**
 * The keys under which an HTTP API holds a route. It refuses a key that ends in '/', and a key
 * without it does not match the slash that nearly every path here ends with: so a route is held
 * under the fixed beginning of its paths, where that is a path by itself, and greedily under
 * everything below it. What falls through both goes to `$default` (docs/decisions/0002).
 */
export function gatewayKeys(endpoint: Endpoint): string[] {
  const beginnings = listBeginnings(endpoint);
  return listMethods(endpoint).flatMap((method) =>
    beginnings.flatMap(({ base, isPath, hasMore }) => [
      ...(isPath ? [`${method} ${base}`] : []),
      ...(hasMore ? [`${method} ${base}/{proxy+}`] : []),
    ]),
  );
}

/**
 * Whether a fixed beginning of a route is a path by itself. What lies below a beginning always fits
 * its greedy key; the beginning with its slash fits none.
 */
export function isBareRoute(endpoint: Endpoint): boolean {
  return listBeginnings(endpoint).some(({ isPath }) => isPath);
}

interface Beginning {
  readonly base: string;
  readonly isPath: boolean;
  /** Whether a path lies below it, be it only its own slash. */
  readonly hasMore: boolean;
}

/** One for all paths that share their first segment. */
function listBeginnings({ paths }: Endpoint): Beginning[] {
  const byFirst = Map.groupBy(Object.values(paths), (path) => splitPath(path)[0]);
  return [...byFirst.values()].map((forms) => {
    const shared = sharedBeginning(forms);
    const base = `/${shared.join('/')}`;
    return {
      base,
      isPath: forms.some((path) => splitPath(requiredPart(path)).length === shared.length),
      hasMore: forms.some((path) => path !== base),
    };
  });
}

/** The fixed segments that all paths begin with. */
function sharedBeginning(paths: readonly string[]): string[] {
  const [first = [], ...others] = paths.map((path) => splitPath(path.replace(/[[{].*/, '')));
  const shared = first.findIndex((segment, index) =>
    others.some((other) => other[index] !== segment),
  );
  return shared === -1 ? first : first.slice(0, shared);
}
