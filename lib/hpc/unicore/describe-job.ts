import { roundUp } from '#lib/time/round-up.ts';
import type { JobOrder } from '../connector.ts';
import { JobRefusedError } from '../errors.ts';
import { buildScript, type ScriptEnvironment, type ScriptJob } from '../script/build-script.ts';
import { chooseImage, type ImageSite } from '../script/choose-image.ts';
import { limitOf } from '../script/script-terms.ts';
import { scriptFile } from './working-directory.ts';

/** How the jobs of a system run at their site. */
export interface UnicoreSite extends Omit<ScriptEnvironment, 'image'>, ImageSite {
  /** True if jobs fetch their input from this service and send their results to it. */
  readonly movesOwnFiles?: boolean | undefined;
}

/** Describes a job for UNICORE. */
export function describeJob(order: JobOrder, site: UnicoreSite) {
  const minutes = roundUp(order.hours * 60);
  const { shell, setup } = site;
  const terms = { ...limitOf(minutes), shell, setup, image: chooseImage(site, order) };
  return {
    Name: cleanName(order.title),
    Tags: [order.jobId],
    // UNICORE writes the executable and its arguments, joined by blanks and not quoted, as one line
    // of a shell script. In a file of its own, the command stays as it was written, and its exit
    // code reaches UNICORE.
    Executable: '/bin/bash',
    Arguments: [scriptFile],
    Imports: [
      {
        From: 'inline://slipway',
        To: scriptFile,
        Data: buildScript(describeScript(order, site), terms),
      },
    ],
    Resources: {
      // Plain seconds are the only form that every version reads alike.
      Runtime: String(minutes * 60),
      Nodes: String(order.nodes),
      CPUsPerNode: String(order.coresPerNode),
    },
    // With an upload, nothing runs before action:start.
    haveClientStageIn: String(needsUpload(order, site)),
  };
}

/** Tells whether the input is sent to UNICORE before the job starts. */
export function needsUpload({ input }: JobOrder, { movesOwnFiles = false }: UnicoreSite): boolean {
  return input !== undefined && !movesOwnFiles;
}

function describeScript(order: JobOrder, { movesOwnFiles = false }: UnicoreSite): ScriptJob {
  const { program, environment = {}, fetching, sending } = order;
  const { input, resultsAddress, outputAddress } = order;
  // Bash would silently leave out the NUL.
  if ([program, ...Object.values(environment)].some((text) => text.includes('\0'))) {
    throw new JobRefusedError('The command contains a NUL character.');
  }
  const job = { command: program, environment, fetching, sending, keepsResults: true };
  return movesOwnFiles
    ? { ...job, inputAddress: input?.address, resultsAddress, outputAddress }
    : { ...job, hasInput: input !== undefined };
}

/** UNICORE refuses line breaks, backticks and `$(` in a name; batch systems refuse even more. */
function cleanName(title: string): string {
  return title.replaceAll(/[^\p{L}\p{N} ._-]/gu, '_').slice(0, 100) || 'job';
}
