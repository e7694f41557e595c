import { importsOf, readSources } from '../unit/architecture/source-files.ts';

/** Types are gone before anything is bundled. */
const typeImport = /^(?:import|export) type [^;]*;$/gm;

const imported = new Map(
  readSources('functions', 'lib').map(({ path, text }) => [
    path,
    importsOf({ path, text: text.replaceAll(typeImport, '') }),
  ]),
);

/** The files of the project that a function is bundled with. */
export function listReach(file: string): ReadonlySet<string> {
  const reached = new Set<string>();
  const waiting = [`functions/${file}.ts`];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (reached.has(next)) continue;
    reached.add(next);
    waiting.push(...(imported.get(next) ?? []));
  }
  return reached;
}
