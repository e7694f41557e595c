import { type Endpoint, listMethods, requiredPart, splitPath } from './route.ts';

/**
 * Lists the keys of a route in an HTTP API. The gateway refuses keys that end in '/', and a key
 * without the slash does not match a path with it. So a route gets the fixed start of its paths as a
 * key, if that is a path itself, and a greedy key if it has paths below. Paths that match neither go
 * to `$default` (docs/decisions/0002).
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
 * True if the fixed start of a route is a path itself. With its trailing slash it matches no key,
 * while everything below it matches the greedy key.
 */
export function isBareRoute(endpoint: Endpoint): boolean {
  return listBeginnings(endpoint).some(({ isPath }) => isPath);
}

interface Beginning {
  readonly base: string;
  readonly isPath: boolean;
  /** Whether a path lies below it. */
  readonly hasMore: boolean;
}

/** Returns one for all paths with the same first segment. */
function listBeginnings({ paths }: Endpoint): Beginning[] {
  const byFirst = Map.groupBy(Object.values(paths), (path) => splitPath(path)[0]);
  return [...byFirst.values()].map((forms) => {
    const shared = sharedBeginning(forms);
    const base = `/${shared.join('/')}`;
    return {
      base,
      isPath: forms.some((path) => splitPath(requiredPart(path)).length === shared.length),
      hasMore: forms.some((path) => splitPath(path).length > shared.length),
    };
  });
}

/** Returns the fixed segments that all paths start with. */
function sharedBeginning(paths: readonly string[]): string[] {
  const [first = [], ...others] = paths.map((path) => splitPath(path.replace(/[[{].*/, '')));
  const shared = first.findIndex((segment, index) =>
    others.some((other) => other[index] !== segment),
  );
  return shared === -1 ? first : first.slice(0, shared);
}
