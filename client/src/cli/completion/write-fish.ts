import type { Words } from './list-words.ts';

export function writeFish(all: readonly Words[]): string {
  const lines = all.flatMap(({ path, commands, options }) => {
    const where = `-n ${quote(writeCondition(path, commands))}`;
    return [
      ...commands.map(
        ({ name, description }) =>
          `complete -c slipway ${where} -f -a ${name} -d ${quote(description)}`,
      ),
      ...options.map(
        ({ name, description, takesValue }) =>
          `complete -c slipway ${where} -l ${name.slice(2)}${takesValue ? ' -r' : ''} -d ${quote(description)}`,
      ),
    ];
  });
  return `${lines.join('\n')}\n`;
}

/** After all words of its path, and before one of its own commands. */
function writeCondition(path: readonly string[], commands: Words['commands']): string {
  const seen = path.map((name) => `__fish_seen_subcommand_from ${name}`);
  const names = commands.map(({ name }) => name).join(' ');
  const ahead = names === '' ? [] : [`not __fish_seen_subcommand_from ${names}`];
  return [...seen, ...ahead].join('; and ') || 'true';
}

function quote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
