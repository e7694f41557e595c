/** The words of asynchronous Python, and those of plain Python in their place. */
const words: readonly (readonly [RegExp, string])[] = [
  [/\basync (def|with|for) /g, '$1 '],
  [/\bawait /g, ''],
  [/\b__a(enter|exit|iter|next)__\b/g, '__$1__'],
  [/\baclose\b/g, 'close'],
  [/\basynccontextmanager\b/g, 'contextmanager'],
  [/\baiter_bytes\b/g, 'iter_bytes'],
  [/\bAwaitable, /g, ''],
  [/\bAwaitable\[((?:[^[\]]|\[[^[\]]*\])*)\]/g, '$1'],
  [/\bAsync([A-Z]\w*)/g, '$1'],
  [/(\w)_async\b/g, '$1'],
];

/** Makes a module of plain Python from an asynchronous one, line by line. */
export function writeSync(source: string, name: string): string {
  const text = words.reduce((changed, [from, to]) => changed.replaceAll(from, to), source);
  return `# Made by \`npm run python:generate\` from _async/${name}. Do not edit.\n${text.replace(/^# Made by .*\n/, '')}`;
}
