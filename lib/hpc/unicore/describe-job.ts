import { roundUp } from '#lib/time/round-up.ts';
import type { JobOrder } from '../connector.ts';
import { quoteForShell } from '../quote-for-shell.ts';

/** The job as UNICORE wants it described. `siteResources`: what the site asks of every job. */
export function describeJob(order: JobOrder, siteResources: Readonly<Record<string, string>>) {
  return {
    Name: cleanName(order.title),
    Tags: [order.jobId],
    Executable: '/bin/bash',
    // UNICORE writes the executable and its arguments, joined by blanks and not quoted, as one line
    // of a shell script (XNJS, TSIMessages.insertExecutable). Unquoted, `-c` would take the first
    // word alone, and the rest of the command would be expanded before bash sees it.
    Arguments: ['-c', quoteForShell(order.program)],
    Resources: {
      ...siteResources,
      // Plain seconds: the one form that every version reads alike.
      Runtime: String(roundUp(order.hours * 3600)),
      Nodes: String(order.nodes),
      CPUsPerNode: String(order.coresPerNode),
    },
    // Nothing runs before action:start, so that the input is there first.
    haveClientStageIn: 'true',
  };
}

/** UNICORE refuses a name with line breaks, backticks or `$(`; batch systems like even fewer. */
function cleanName(title: string): string {
  return title.replaceAll(/[^\p{L}\p{N} ._-]/gu, '_').slice(0, 100) || 'job';
}
