import { longestRetrySeconds } from '../connector.ts';
import { patienceSeconds, scriptExits } from '../script/script-terms.ts';

/** Exit codes of a container besides those of its command. */
export const containerExits = {
  ...scriptExits,
  anotherRun: 246,
  scriptNotFetched: 247,
} as const;

/**
 * Fetches the container's script and runs it. It says which run of the job it is, so that no other
 * run gets the script. Two runs exist if the answer to a hand-over was lost.
 *
 * A container's first process ignores TERM unless it handles it. Environment variables of the
 * container cannot change what Python loads (-I).
 */
const bootstrap = `
import os, random, signal, sys, time, urllib.error, urllib.request
signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
address, run = sys.argv[1], os.environ.get("AWS_BATCH_JOB_ID", "")
if len(sys.argv) > 2:
    index = os.environ["AWS_BATCH_JOB_ARRAY_INDEX"]
    address += "&task=%d" % (int(sys.argv[2]) + int(index))
    run += "" if ":" in run else ":" + index
address += "&run=" + run
def end(code, why):
    print("slipway: The script could not be fetched: " + why, flush=True)
    sys.exit(code)
pause, last = 0, time.monotonic() + ${patienceSeconds}
while True:
    try:
        with urllib.request.urlopen(address, timeout=60) as answer:
            script = answer.read()
        break
    except urllib.error.HTTPError as error:
        why = "HTTP %d." % error.code
        if error.code == 409:
            end(${containerExits.anotherRun}, "another run of this job has begun.")
        if error.code in (400, 404, 405):
            end(${containerExits.scriptNotFetched}, why + " Slipway knows no such active job.")
    except Exception as error:
        why = "no answer (%s)." % type(error).__name__
    if time.monotonic() >= last:
        end(${containerExits.scriptNotFetched}, why + " That was the last try.")
    pause = min(pause * 2 + 1, ${longestRetrySeconds / 2}) * random.uniform(1, 2)
    time.sleep(max(0, min(pause, last - time.monotonic())))
exec(compile(script, "script", "exec"), {"address": address})
`.trim();

/** Where a container finds its script. */
export interface Bootstrap {
  /** The address of the script, or of the scripts of an array. */
  readonly address: string;
  /** For an array: the number of the task that the child with index 0 runs. */
  readonly firstTask?: number | undefined;
}

/**
 * Writes the command of a container. AWS Batch takes 8,192 characters for all that a job overrides,
 * so the container fetches the rest.
 */
export function writeBootstrap({ address, firstTask }: Bootstrap): string[] {
  const task = firstTask === undefined ? [] : [String(firstTask)];
  return ['python3', '-I', '-c', bootstrap, address, ...task];
}
