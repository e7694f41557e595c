import { type KindName, kindNames } from '#lib/catalog/kinds/system-kinds.ts';
import { lacks, onlyImitated, playedBy } from './kinds.ts';
import type { Scene } from './scene.ts';
import { scenes } from './scenes.ts';

/** Where the page has the table, and the command that writes it. */
export const tableMark = 'npm run connectors:table';

/** Writes the table of scenes and kinds, and why a kind lacks a scene. */
export function writeTable(): string {
  const head = ['scene', 'what holds', ...kindNames, 'in'];
  const rows = scenes.map((scene) => [
    `[${scene.name}](../test/connectors/scenes/${scene.name}.ts)`,
    scene.title,
    ...kindNames.map((kind) => tellPlayer(kind, scene)),
    scene.isLong ? '`suite long`' : '`npm test`',
  ]);
  const lines = [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return [...lines, '', ...kindNames.flatMap(explainLacks)].join('\n').trimEnd();
}

function tellPlayer(kind: KindName, { name }: Scene): string {
  if (name in lacks[kind]) return '–';
  return playedBy[kind] === 'both' && name in (onlyImitated[kind] ?? {})
    ? 'imitated'
    : words[playedBy[kind]];
}

const words = { itself: 'itself', imitation: 'imitated', both: 'real, imitated' } as const;

function explainLacks(kind: KindName): string[] {
  return [
    ...listReasons(`**${kind}** cannot have`, lacks[kind]),
    ...listReasons(`**${kind}** has only as an imitation`, onlyImitated[kind] ?? {}),
  ];
}

function listReasons(head: string, declared: Readonly<Record<string, string>>): string[] {
  const reasons = Map.groupBy(Object.entries(declared), ([, reason]) => reason);
  if (reasons.size === 0) return [];
  const lines = [...reasons].map(([reason, some]) => {
    const names = some.map(([name]) => `\`${name}\``).join(', ');
    return `  - ${names}: ${reason}`;
  });
  return [`- ${head}:`, ...lines];
}
