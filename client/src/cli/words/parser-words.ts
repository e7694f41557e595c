import {
  type Argument,
  type CommandUnknownOpts,
  Help,
  type Option,
} from '@commander-js/extra-typings';
import { english, phrase } from './phrase.ts';

type Replacement = readonly [RegExp, (...found: string[]) => string];

/** The messages of the argument parser, which are English, and what stands for them here. */
const errors: readonly Replacement[] = [
  [/^error: /, () => ''],
  [/^unknown option '(.*)'$/m, (_, it = '') => phrase('parser.unknownOption', { it })],
  [/^unknown command '(.*)'$/m, (_, it = '') => phrase('parser.unknownCommand', { it })],
  [
    /^missing required argument '(.*)'$/m,
    (_, it = '') => phrase('parser.missingArgument', { it: translatePlaceholder(it) }),
  ],
  [
    /^option '(.*)' argument missing$/m,
    (_, it = '') => phrase('parser.missingValue', { it: translatePlaceholders(it) }),
  ],
  [
    /^required option '(.*)' not specified$/m,
    (_, it = '') => phrase('parser.missingOption', { it: translatePlaceholders(it) }),
  ],
  [
    /^too many arguments(?: for '(.*)')?\. Expected (\d+) arguments? but got (\d+)\.$/m,
    (_, it, expected = '', got = '') => writeTooMany(it, Number(expected), got),
  ],
  [
    /^option '(.*?)' argument '(.*)' is invalid\./m,
    (_, it = '', given = '') =>
      phrase('parser.invalidValue', { it: translatePlaceholders(it), given }),
  ],
  [
    /^command-argument value '(.*)' is invalid for argument '(.*)'\./m,
    (_, given = '', it = '') =>
      phrase('parser.invalidArgument', { it: translatePlaceholder(it), given }),
  ],
  [/Allowed choices are (.*)\.$/m, (_, it = '') => phrase('parser.choicesAre', { it })],
  [/^\(Did you mean one of (.*)\?\)$/m, (_, it = '') => phrase('parser.didYouMeanOneOf', { it })],
  [/^\(Did you mean (.*)\?\)$/m, (_, it = '') => phrase('parser.didYouMean', { it })],
];

function writeTooMany(it: string | undefined, count: number, got: string): string {
  return it === undefined
    ? phrase('parser.tooManyArguments', { count, got })
    : phrase('parser.tooManyArgumentsFor', { it, count, got });
}

/** Writes an error of the parser in the language of the reader. Unknown errors stay English. */
export function translateError(text: string): string {
  return errors.reduce((words, [pattern, write]) => words.replace(pattern, write), text);
}

/** Writes `<name=value>` and `[folder]` in the language of the reader; what has no word stays. */
function translatePlaceholders(text: string): string {
  return text.replace(/<[^<>\s]+>|\[[a-z.]+\]/g, (placeholder) =>
    placeholder.replace(/[a-z-]+/g, translatePlaceholder),
  );
}

function translatePlaceholder(word: string): string {
  const place = english['parser.placeholders'].split(' ').indexOf(word);
  return phrase('parser.placeholders').split(' ')[place] ?? word;
}

/** The parts of a help text that the parser writes. */
export const helpWords = {
  styleTitle: (title: string) => {
    const titles: Readonly<Record<string, string>> = {
      'Usage:': phrase('parser.usage'),
      'Arguments:': phrase('parser.arguments'),
      'Options:': phrase('parser.options'),
      'Global Options:': phrase('parser.globalOptions'),
      'Commands:': phrase('parser.commands'),
    };
    return titles[title] ?? title;
  },
  commandUsage: (command: CommandUnknownOpts) =>
    translatePlaceholders(parserHelp.commandUsage(command)),
  subcommandTerm: (command: CommandUnknownOpts) => translatePlaceholders(writeTerm(command)),
  argumentTerm: (argument: Argument) => translatePlaceholder(argument.name()),
  optionTerm: (option: Option) => translatePlaceholders(option.flags),
  optionDescription: (option: Option) => translateSuffix(parserHelp.optionDescription(option)),
  argumentDescription: (argument: Argument) =>
    translateSuffix(parserHelp.argumentDescription(argument)),
};

const parserHelp = new Help();

/** Translates `(choices: "a", "b", default: "a")`, which the parser adds to descriptions. */
function translateSuffix(text: string): string {
  return text
    .replace(/\bchoices: (?=")/, () => phrase('parser.choices'))
    .replace(/\bdefault: (?=["\d])/, () => phrase('parser.default'));
}

/**
 * Writes the name and arguments of a command. Its options are left out, because all commands have
 * some.
 */
function writeTerm(command: CommandUnknownOpts): string {
  const words = command.registeredArguments.map((word) => {
    const name = `${word.name()}${word.variadic ? '...' : ''}`;
    return word.required ? `<${name}>` : `[${name}]`;
  });
  return [command.name(), ...words].join(' ');
}
