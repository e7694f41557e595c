import {
  type Argument,
  type CommandUnknownOpts,
  Help,
  type Option,
} from '@commander-js/extra-typings';
import { phrase } from './phrase.ts';

type Replacement = readonly [RegExp, (...found: string[]) => string];

/** The messages of the argument parser, which are English, and what stands for them here. */
const errors: readonly Replacement[] = [
  [/^error: /, () => ''],
  [/^unknown option '(.*)'$/m, (_, it = '') => phrase('parser.unknownOption', { it })],
  [/^unknown command '(.*)'$/m, (_, it = '') => phrase('parser.unknownCommand', { it })],
  [/^missing required argument '(.*)'$/m, (_, it = '') => phrase('parser.missingArgument', { it })],
  [/^option '(.*)' argument missing$/m, (_, it = '') => phrase('parser.missingValue', { it })],
  [
    /^required option '(.*)' not specified$/m,
    (_, it = '') => phrase('parser.missingOption', { it }),
  ],
  [
    /^too many arguments(?: for '(.*)')?\. Expected (\d+) arguments? but got (\d+)\.$/m,
    (_, it, expected = '', got = '') => writeTooMany(it, Number(expected), got),
  ],
  [
    /^option '(.*?)' argument '(.*)' is invalid\./m,
    (_, it = '', given = '') => phrase('parser.invalidValue', { it, given }),
  ],
  [
    /^command-argument value '(.*)' is invalid for argument '(.*)'\./m,
    (_, given = '', it = '') => phrase('parser.invalidArgument', { it, given }),
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
    parserHelp
      .commandUsage(command)
      .replace('[options]', phrase('parser.anyOptions'))
      .replace('[command]', phrase('parser.anyCommand')),
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
