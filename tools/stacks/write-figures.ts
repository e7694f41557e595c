import { limits, type StackFigures } from './measure-stacks.ts';

/** The table of docs/deploy.md. */
export function writeFigures(figures: ReadonlyMap<string, readonly StackFigures[]>): string {
  const rows = [...figures].flatMap(([variant, stacks]) =>
    stacks.map(({ stack, resources, policy, parameters, outputs }) =>
      writeRow([variant, stack, ...[resources, policy, parameters, outputs].map(writeNumber)]),
    ),
  );
  const { resources, policy, parameters, outputs } = limits;
  return [
    writeRow(['variant', 'stack', 'resources', 'largest policy', 'parameters', 'outputs']),
    '|---|---|---:|---:|---:|---:|',
    ...rows,
    writeRow(['**limit**', '', ...[resources, policy, parameters, outputs].map(writeNumber)]),
  ].join('\n');
}

function writeNumber(number: number): string {
  return number.toLocaleString('en-US');
}

function writeRow(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`.replaceAll('|  |', '| |');
}
