import { posix } from 'node:path';
import type { Violations } from './rules.ts';
import { type SourceFile, withoutComments } from './source-files.ts';

const exportForm =
  /^export (?:async )?(?:abstract )?(function\*?|const|class|interface|type) (\w+)/gm;

/**
 * Files with one export, types beside it aside, in whose name the words of the file's name do not
 * all stand in their order: `progress-bar.ts` may export `createProgressBar`, but `judge-zip.ts` not
 * `judgeDirectory`. A file with several exports is named for all of them, which no rule can judge.
 */
export function findMisnamedFiles(files: readonly SourceFile[]): Violations {
  return files.filter(isMisnamed).map(({ path }) => path);
}

function isMisnamed({ path, text }: SourceFile): boolean {
  const exported = [...withoutComments(text).matchAll(exportForm)].map(
    ([, kind = '', name = '']) => ({ name, isType: kind === 'interface' || kind === 'type' }),
  );
  const values = exported.filter(({ isType }) => !isType);
  const main = values.length > 0 ? values : exported;
  return main.length === 1 && !exported.some(({ name }) => carriesName(name, path));
}

function carriesName(exported: string, path: string): boolean {
  const words = posix.parse(path).name.split('-');
  // One or many is the same: `account` and `accounts`, `delivery` and `deliveries`.
  const stems = words.map((word) => word.replace(/(ies|y|s)$/, ''));
  return new RegExp(stems.join('.*'), 'i').test(exported);
}
