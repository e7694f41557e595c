import type { Told } from '../../words/language.ts';
import { term } from '../../words/terms.ts';
import { writeDay } from '../times/day.ts';
import { joinWords } from './join-words.ts';

interface Rule {
  readonly form: RegExp;
  readonly names: readonly string[];
  readonly own: string;
}

type Tell = (text: string) => string;

/**
 * Returns what writes sentences of the service in another language. A sentence that the language does
 * not know, such as one of an administrator or of a newer service, stays.
 */
export function translateTold(told: Told): (text: string) => string {
  const rules = compile(told);
  const tellOne = (text: string) => translate(text, rules, tellOne) ?? text;
  return (text) =>
    translate(text, rules, tellOne) ?? splitSentences(text).map(tellOne).filter(Boolean).join(' ');
}

function splitSentences(text: string): string[] {
  return text.split(/(?<=[.!?])\s+(?=[A-Z0-9'"(])/);
}

/** Longer forms come first, because a parameter takes any words. */
function compile(told: Told): Rule[] {
  return Object.entries(told)
    .sort(([one], [other]) => weigh(other) - weigh(one))
    .map(([english, own]) => {
      const parts = english.split(/\{(\w+)\}/);
      const form = parts
        .map((part, at) => (at % 2 === 0 ? part.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&') : '(.+?)'))
        .join('');
      const names = parts.filter((_, at) => at % 2 === 1);
      return { form: new RegExp(`^${form}$`, 's'), names, own };
    });
}

function weigh(english: string): number {
  return english.replaceAll(/\{\w+\}/g, '').length;
}

function translate(text: string, rules: readonly Rule[], tellOne: Tell): string | undefined {
  for (const { form, names, own } of rules) {
    const [whole, ...values] = form.exec(text) ?? [];
    // A parameter that holds the end of a sentence has taken more than one.
    if (whole === undefined || values.some((value) => splitSentences(value).length > 1)) continue;
    return own.replaceAll(/\{(\w+)\}/g, (_, name) =>
      write(name, values[names.indexOf(name)] ?? '', tellOne),
    );
  }
  return undefined;
}

function write(name: string, value: string, tellOne: Tell): string {
  if (name === 'term') return term(value);
  if (name === 'told') return tellOne(value);
  if (name === 'list') return joinWords(value.split(/, | and /).map(tellOne));
  return name === 'day' && /^\d{4}-\d{2}-\d{2}$/.test(value) ? writeDay(value) : value;
}
