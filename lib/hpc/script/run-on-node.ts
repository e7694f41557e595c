import type { ImageTerms } from './choose-image.ts';
import { writeImageFetch } from './fetch-image.ts';
import { quoteForShell } from './quote-for-shell.ts';
import { writeImageRemoval, writeImageRun } from './run-in-image.ts';

/** A file beside the working directory, where the command does not reach it. */
const mark = '../image.wanted';

/** The code of a command that ended with the one for a missing image. */
const otherExit = 249;

/** The parts of a script that runs its command in an image. */
export interface OnNode {
  /** Runs before the command, and after it, in the script. */
  readonly begin: string;
  readonly end: string;
  /** What the shell runs in the place of the command, which is its first parameter. */
  readonly text: string;
}

/**
 * Runs a command in an image on the node of its job. The mark is there until the image is. If it is
 * still there in the end, the command never began: the script then ends with a code of its own, which
 * no command in an image can have, and counts no time. The last lines about the image are the output.
 */
export function runOnNode(terms: ImageTerms, exitCode: number): OnNode {
  const removal = quoteForShell(writeImageRemoval(terms));
  return {
    begin: `: >${mark}\n`,
    text: `if ! ( ${writeImageFetch(terms)}) >../image.log 2>&1; then
  printf 'slipway: The image %s could not be fetched.\\n' ${quoteForShell(terms.image)} >&2
  tail -n 20 ../image.log >&2
  exit ${exitCode}
fi
rm -f ${mark}
${writeImageRun(terms, { network: true })}`,
    end: `if [ "$code" -eq ${exitCode} ]; then code=${otherExit}; fi
if [ -e ${mark} ] && [ "$ending" != stopped ]; then ending= began=$ended code=${exitCode}; fi
if [ -n "$ending" ]; then sh -c ${removal} </dev/null; fi
rm -rf ../tmp 2>/dev/null
`,
  };
}
