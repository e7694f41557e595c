import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';

/** Options of tools: a text, and a flag. */
export const text = { type: 'string' } as const;
export const flag = { type: 'boolean', default: false } as const;

type Values<Options extends ParseArgsOptionsConfig> = ReturnType<
  typeof parseArgs<{ options: Options }>
>['values'];

/**
 * Runs a tool and sets the exit code that it returns. `--help` prints its help. It takes arguments
 * beside its options only if `main` does.
 */
export async function runTool<Options extends ParseArgsOptionsConfig>(
  help: string,
  options: Options,
  main: (values: Values<Options>, given: readonly string[]) => Promise<number>,
): Promise<void> {
  await exitWith(async () => {
    const args = process.argv.slice(2);
    if (args.includes('--help') || args.includes('-h')) {
      process.stdout.write(help);
      return 0;
    }
    const { values, positionals } = parseArgs({ options, allowPositionals: main.length > 1 });
    return main(values, positionals);
  });
}

/** Sets the exit code. A failure is one clear line and exit code 1, not a stack trace. */
export async function exitWith(main: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await main();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
  }
}

const width = 30;
const redrawMs = 100;

/** Draws a bar on a terminal, and nothing elsewhere, so that logs stay readable. */
export function createProgressBar(stream: NodeJS.WriteStream = process.stderr) {
  let drawnAt = 0;
  return {
    update(done: number, total: number, text: string): void {
      if (!stream.isTTY || (done < total && Date.now() - drawnAt < redrawMs)) return;
      drawnAt = Date.now();
      const share = total > 0 ? Math.min(1, done / total) : 1;
      const filled = Math.round(share * width);
      const bar = `${'█'.repeat(filled)}${'░'.repeat(width - filled)}`;
      stream.write(`\r${bar} ${Math.round(share * 100)} %  ${text}\x1b[K`);
    },
    finish(): void {
      if (stream.isTTY && drawnAt > 0) stream.write('\n');
    },
  };
}
