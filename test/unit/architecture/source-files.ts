import { readdirSync, readFileSync } from 'node:fs';
import { join, posix, relative, sep } from 'node:path';

export interface SourceFile {
  /** From the root of the project, with forward slashes. */
  readonly path: string;
  readonly text: string;
}

const root = join(import.meta.dirname, '..', '..', '..');

/** Every TypeScript file, with JSX or without, below these folders; a folder that is not there has none. */
export function readSources(...folders: readonly string[]): SourceFile[] {
  return folders.flatMap((folder) => {
    const entries = listFolder(join(root, folder));
    return entries.map((file) => ({
      path: relative(root, file).split(sep).join('/'),
      text: readFileSync(file, 'utf8'),
    }));
  });
}

/** Leaves out what a suite has installed for itself (test/lambda/runtime) and what was built. */
function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name))
      .filter((file) => !/[\\/](node_modules|dist)[\\/]/.test(file));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

/** The folder of a file: what a reader finds beside it. */
export function roomOf(path: string): string {
  return posix.dirname(path);
}

const importForms = [
  /\bfrom\s*['"]([^'"]+)['"]/g,
  /^\s*import\s*['"]([^'"]+)['"]/gm,
  /\bimport\s*\(\s*['"`]([^'"`]+)['"`]/g,
  /\brequire\s*\(\s*['"`]([^'"`]+)['"`]/g,
];

/**
 * What a file imports, read from its text, so that imports of types count as all others do: a path
 * of the project, or the name of a package.
 */
export function importsOf({ path, text }: SourceFile): string[] {
  const code = withoutComments(text);
  return importForms
    .flatMap((form) => [...code.matchAll(form)].map(([, specifier = '']) => specifier))
    .map((specifier) => resolveSpecifier(path, specifier));
}

/** `#lib/x.ts` is a path from the root (package.json, imports). */
function resolveSpecifier(path: string, specifier: string): string {
  if (specifier.startsWith('#')) return specifier.slice(1);
  return specifier.startsWith('.') ? posix.join(posix.dirname(path), specifier) : specifier;
}

/** Comments that stand on lines of their own or behind a space: enough for formatted code. */
export function withoutComments(text: string): string {
  return text.replaceAll(/^\s*\/\*[\s\S]*?\*\//gm, '').replaceAll(/(^|\s)\/\/.*$/gm, '');
}
