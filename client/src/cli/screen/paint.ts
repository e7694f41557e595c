import type { Meaning } from '../../format/describe-stage.ts';
import type { Output } from '../host/host.ts';

const codes = { bold: 1, dim: 2, red: 31, green: 32, yellow: 33, cyan: 36 } as const;

export type Colour = keyof typeof codes;
export type Paint = (colour: Colour, text: string) => string;

/** https://no-color.org; and no colours where nobody looks. */
export function createPaint(
  output: Output,
  environment: Readonly<Record<string, string | undefined>>,
): Paint {
  const wanted =
    output.isTTY === true && (environment.NO_COLOR ?? '') === '' && environment.TERM !== 'dumb';
  return (colour, text) => (wanted ? `\x1b[${codes[colour]}m${text}\x1b[0m` : text);
}

export const colourOf = {
  waiting: 'yellow',
  starting: 'cyan',
  running: 'cyan',
  finishing: 'cyan',
  done: 'green',
  failed: 'red',
  cancelled: 'dim',
} as const satisfies Record<Meaning, Colour>;
