import { Command } from '@commander-js/extra-typings';

/** `-20h` is an amount; the parser takes only plain numbers for one, and all else for an option. */
const amount = /^-\s*[\d.]/;

/** A command that takes amounts below nothing among its words. */
export class CommandWithAmounts extends Command {
  override parseOptions(words: string[]) {
    const { operands, unknown } = super.parseOptions(words);
    const isOption = (word: string) => word.startsWith('-') && !amount.test(word);
    return {
      operands: [...operands, ...unknown.filter((word) => !isOption(word))],
      unknown: unknown.filter(isOption),
    };
  }
}
