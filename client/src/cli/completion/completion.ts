import { Argument, Command } from '@commander-js/extra-typings';
import type { Open } from '../session/open.ts';
import { writeExamples } from '../session/write-examples.ts';
import { listWords } from './list-words.ts';
import { writeBash } from './write-bash.ts';
import { writeFish } from './write-fish.ts';
import { writeZsh } from './write-zsh.ts';

const writers = { bash: writeBash, zsh: writeZsh, fish: writeFish } as const;

export function createCompletion(open: Open) {
  return new Command('completion')
    .description('print what a shell needs to complete this command')
    .addArgument(new Argument('<shell>', 'bash, zsh or fish').choices(['bash', 'zsh', 'fish']))
    .addHelpText(
      'after',
      writeExamples(
        'source <(slipway completion bash)',
        'slipway completion zsh > $fpath[1]/_slipway',
        'slipway completion fish > ~/.config/fish/completions/slipway.fish',
      ),
    )
    .action((shell, _, command) => {
      const { screen } = open(command);
      const whole = command.parent;
      if (whole) screen.raw(writers[shell](listWords(whole)));
    });
}
