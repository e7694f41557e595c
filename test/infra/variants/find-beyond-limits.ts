import type { TemplateJson } from '#tools/stacks/templates.ts';
import { numberLimits, textLimits } from './limits.ts';
import { listValues } from './list-values.ts';

/** Whatever is called so, has a documented length. */
const limitedText = /\.(\w*Name|\w*Description)$/;

/** Numbers and names that AWS would refuse, and those of which nobody wrote down what it takes. */
export function findBeyondLimits(template: TemplateJson): string[] {
  return listValues(template).flatMap(({ place, resource, value }) => {
    const why = typeof value === 'number' ? judgeNumber(place, value) : judgeText(place, value);
    return why === undefined ? [] : [`${resource}, ${place}: ${JSON.stringify(value)} ${why}`];
  });
}

const unknown = 'has no limits in limits.ts';

function judgeNumber(place: string, value: number): string | undefined {
  const limits = numberLimits[place];
  if (!limits) return unknown;
  const { from, to = Infinity, step = 1 } = limits;
  if (value < from || value > to) return `is not within ${from} and ${to}`;
  // Of what has no step, a part may be meant: 0.5 percent.
  return limits.step !== undefined && value % step !== 0 ? `is no multiple of ${step}` : undefined;
}

function judgeText(place: string, value: string): string | undefined {
  const limits = textLimits[place];
  if (!limits) return limitedText.test(place) ? unknown : undefined;
  if (value.length > limits.most) return `is longer than ${limits.most} characters`;
  return limits.pattern?.test(value) === false ? `does not fit ${limits.pattern}` : undefined;
}
