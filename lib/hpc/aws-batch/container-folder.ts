import {
  explainFullFolder,
  explainNoRoom,
  makesRoom,
  mostListBytes,
} from '../script/keep-folder.ts';
import { scriptExits } from '../script/script-terms.ts';

/**
 * Defines what the script does with the folder of its project, which its job definition mounts: as the
 * scripts of other systems do (lib/hpc/script/keep-folder.ts). The definition may have forgotten it,
 * and nothing that is written into the container itself would stay.
 */
export const findFolder = `
kept, told_full = job.get("folder"), False
def count_folder():
    size, files = 0, []
    for folder, _, names in os.walk(kept["path"]):
        for name in names:
            path = os.path.join(folder, name)
            try:
                seen = os.lstat(path)
            except OSError:
                continue
            size += seen.st_size
            if stat.S_ISREG(seen.st_mode):
                files.append((os.path.relpath(path, kept["path"]), seen.st_size))
    return size, sorted(files)
def tell_full():
    global told_full
    size, files = count_folder()
    if size > kept["maxBytes"] and not told_full:
        told_full = True
        with open("stderr", "a") as file:
            file.write(${writeFormat(explainFullFolder('%d', 0).replace(' 0 ', ' %d '))} % (size, kept["maxBytes"]))
    return size, files
def watch_folder():
    pause = job["followSeconds"]
    while not ended.wait(pause):
        tell_full()
        if told_full:
            return
        pause = min(pause * 2, 300)
def find_folder():
    if not (os.path.ismount(kept["path"]) or os.path.isdir(kept["path"])):
        return ${scriptExits.noProjectFolder}, "The folder of the project is not there: %s" % kept["path"]
    size, _ = count_folder()
    if size > kept["maxBytes"] and "${makesRoom}" not in job["command"]:
        return ${scriptExits.noRoom}, ${writeFormat(explainNoRoom('%d', '%d'), '')} % (size, kept["maxBytes"])
    return None
`;

/** Tells the service what is there. Nobody waits for a service that is away: the next job tells it, too. */
export const leaveFolder = `
if kept and ending != "stopped":
    try:
        size, files = tell_full()
        listed = b"".join(("%d %s\\0" % (length, name)).encode("utf-8", "replace") for name, length in files[:1000])
        target = "%s%s&length=%d&files=%d" % (service, job["results"].replace("/results/", "/folder/"), size, len(files))
        headers = {"Content-Type": "application/octet-stream"}
        call("PUT", target, listed if len(listed) <= ${mostListBytes} else b"", headers, timeout=60).close()
    except (OSError, http.client.HTTPException):
        say("The service was not told what is in the folder of the project.")
`;

function writeFormat(text: string, end = '\n'): string {
  return JSON.stringify(`slipway: ${text}${end}`);
}
