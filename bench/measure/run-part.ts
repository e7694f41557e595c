import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { runTool } from '#tools/run-tool.ts';
import { type Figure, writeFigures } from './figures.ts';

export type Wishes = Readonly<Record<string, string | boolean | undefined>>;

export interface Part {
  readonly help: string;
  /** Beside --json and --help, which every part has. */
  readonly options: ParseArgsOptionsConfig;
  /** Prints for people what it measures, and returns it for the budget. */
  measure(wishes: Wishes): Promise<readonly Figure[]>;
}

/** What all parts of the benchmarks have in common: their options, their file, and a clean end. */
export async function runPart({ help, options, measure }: Part): Promise<void> {
  exitOnSignals();
  await runTool(async () => {
    const { values } = parseArgs({
      options: { ...options, json: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    });
    const wishes = keepSingle(values);
    if (wishes.help) {
      process.stdout.write(`${help}  --json FILE     also write the figures to this file\n`);
      return 0;
    }
    const figures = await measure(wishes);
    if (typeof wishes.json === 'string') writeFigures(wishes.json, figures);
    // A part may have found that something of it is not valid.
    return Number(process.exitCode ?? 0);
  });
  // A connection that somebody kept open must not keep the benchmark from its end.
  process.exit();
}

/** What was started and what was written is taken away by listeners of 'exit'. */
export function exitOnSignals(): void {
  process.once('SIGINT', () => process.exit(130));
  process.once('SIGTERM', () => process.exit(143));
}

/** A whole number above 0; `fallback` where nothing was said. */
export function readCount(wishes: Wishes, name: string, fallback: number): number {
  const text = wishes[name] ?? String(fallback);
  if (typeof text !== 'string' || !/^[1-9][0-9]{0,8}$/.test(text)) {
    throw new Error(`--${name} must be a whole number above 0.`);
  }
  return Number(text);
}

function keepSingle(values: Readonly<Record<string, unknown>>): Wishes {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) =>
      typeof value === 'string' || typeof value === 'boolean' ? [[name, value]] : [],
    ),
  );
}
