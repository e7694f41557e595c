import { writeDuration } from '#client/src/format/write-duration.ts';
import { writeLeft, writeNodeTime, writeRest } from '#client/src/format/write-node-time.ts';
import type { Estimate, System } from '#client/src/index.ts';

/** The price in a sentence: `2 nodes × 30 min = 1 node-hour.` */
export function describePrice(
  { runtime, held }: Estimate,
  { nodes, cores }: { readonly nodes: number; readonly cores: number },
  charging: System['charging'],
): string {
  const many = (count: number, one: string) => `${count} ${one}${count === 1 ? '' : 's'}`;
  const time = writeDuration(runtime * 3600);
  const price = writeNodeTime(held.time, charging);
  if (charging === 'wall-clock') return `${time} = ${price}.`;
  const cored = charging === 'core' ? ` × ${many(cores, 'core')}` : '';
  return `${many(nodes, 'node')}${cored} × ${time} = ${price}.`;
}

/** `4,999 of 5,000 left after it.` */
export function describeLeft(
  { left }: Estimate,
  granted: number | undefined,
  charging: System['charging'],
): string {
  const said =
    granted === undefined ? writeRest(left.time, charging) : writeLeft(left.time, granted);
  return `${said} left after it.`;
}
