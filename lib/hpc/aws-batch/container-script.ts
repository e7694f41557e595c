import type { Fetching } from '#lib/catalog/input-addresses.ts';
import type { Sending } from '#lib/catalog/output-addresses.ts';
import type { KeptFolder } from '#lib/catalog/project-folders.ts';
import {
  type CommandLimit,
  mostRuns,
  patienceSeconds,
  scriptExits,
} from '../script/script-terms.ts';
import { fetchFiles } from './container-fetches.ts';
import { findFolder, leaveFolder } from './container-folder.ts';
import { sendFiles } from './container-sends.ts';
import {
  callService,
  fetchInput,
  followOutput,
  sendResults,
  uploadFile,
} from './container-transfers.ts';

/** A job as its container needs it. Addresses are paths of the service, each with its pass. */
export interface ContainerJob extends CommandLimit {
  readonly command: string;
  readonly environment?: Readonly<Record<string, string>> | undefined;
  readonly input?: string | undefined;
  readonly fetching?: Fetching | undefined;
  readonly sending?: Sending | undefined;
  /** The folder of the project, which the job definition mounts. */
  readonly folder?: KeptFolder | undefined;
  readonly results: string;
  /** Missing if the job sends no output while it runs. */
  readonly output?: string | undefined;
  /** True if the system starts the job again after its host was reclaimed. */
  readonly repeats?: boolean | undefined;
  /** How long to retry a call of the service. */
  readonly patienceSeconds?: number | undefined;
  /** The pause between two looks for new output. */
  readonly followSeconds?: number | undefined;
}

/**
 * Writes the script of a container, for the bootstrap to run. It needs nothing but Python 3.8 and a
 * shell for the command. Python reads the job as JSON in a string, whose escapes both languages have
 * in common.
 */
export function writeContainerScript(job: ContainerJob): string {
  const described = {
    ...job,
    environment: job.environment ?? {},
    patienceSeconds: job.patienceSeconds ?? patienceSeconds,
    followSeconds: job.followSeconds ?? 5,
  };
  return [
    `import json\njob = json.loads(${JSON.stringify(JSON.stringify(described))})\n`,
    begin,
    callService,
    fetchInput,
    fetchFiles,
    findFolder,
    followOutput,
    copyToLog,
    runCommand,
    leaveFolder,
    uploadFile,
    job.sending ? sendFiles : '',
    sendResults,
  ].join('');
}

/** Makes a directory that only this user can read. */
const begin = `
import hashlib, http.client, os, random, shutil, signal, stat, subprocess, sys, tempfile
import threading, time, urllib.error, urllib.parse, urllib.request, zipfile
started = time.monotonic()
run = min(${mostRuns}, int(os.environ.get("AWS_BATCH_JOB_ATTEMPT") or 1))
service = address.split("/handover/")[0]
os.umask(0o077)
def say(text):
    print("slipway: " + text, flush=True)
def leave(code):
    os.chdir("/")
    shutil.rmtree(directory, ignore_errors=True)
    sys.stdout.flush()
    os._exit(code)
try:
    directory = tempfile.mkdtemp(prefix="slipway-")
    os.mkdir(os.path.join(directory, "job"))
    os.chdir(os.path.join(directory, "job"))
except OSError as error:
    say("The job's directory could not be created: %s." % error.strerror)
    sys.exit(${scriptExits.noDirectory})
def beside(name):
    return os.path.join(directory, name)
`;

/** The first bytes of the output that go to the container's log, and those of a long output's end. */
const logBytes = 1_000_000;
const logEndBytes = 10_000;

/**
 * Copies the beginning of the output to the container's own log, and its end if it is long. The
 * log's price grows with its size, so it gets no more.
 */
const copyToLog = `
log_bytes, log_end_bytes = ${logBytes}, ${logEndBytes}
def copy_to_log():
    places, over = [0, 0], False
    while True:
        is_last = ended.wait(1)
        for number, name in enumerate(streams):
            try:
                with open(name, "rb") as file:
                    size = file.seek(0, 2)
                    if over and is_last:
                        places[number] = max(places[number], size - log_end_bytes)
                    elif over:
                        continue
                    file.seek(places[number])
                    room = log_end_bytes if over else log_bytes - sum(places)
                    part = file.read(min(room, max(0, size - places[number])))
                places[number] += len(part)
                os.write(1 + number, part)
            except OSError:
                pass
        if not over and sum(places) >= log_bytes:
            over = True
            say("The log holds no more of the output. All of it is in the results.")
        elif is_last:
            return
`;

/**
 * Runs the command in its own session, which can be ended as one, with variables that do not reach
 * the script. TERM means the end, and leaves seconds. A container's first process inherits all
 * orphans, so the script collects them.
 */
const runCommand = `
shells = (shutil.which("bash"), "/bin/bash", "/usr/bin/bash", shutil.which("sh"), "/bin/sh")
shell = next(path for path in shells if path and (os.access(path, os.X_OK) or path == "/bin/sh"))
def stop(*_):
    global stopped_at
    stopped_at = stopped_at or time.monotonic()
def signal_command(number):
    try:
        os.killpg(command.pid, number)
    except OSError:
        pass
def wait_for_command():
    while True:
        try:
            pid, status = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return 1
        if pid == 0:
            return None
        if pid == command.pid:
            return 128 + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
signal.signal(signal.SIGTERM, stop)
until, reserve = started + job["limitSeconds"] - job["reserveSeconds"], job["reserveSeconds"]
is_free = fetching and fetching["paidBy"] == "site"
unfetched = fetch_files() if is_free else None
refused_code, no_folder = (kept and find_folder()) or (None, None)
began, ending, kill_at, code = time.monotonic(), None, None, None
if fetching and not is_free:
    unfetched = fetch_files()
try:
    with open("stdout", "wb") as out, open("stderr", "wb") as err:
        if no_folder:
            err.write((no_folder + "\\n").encode("utf-8", "replace"))
            code = refused_code
        elif unfetched:
            err.write((unfetched + "\\n").encode("utf-8", "replace"))
            code = ${scriptExits.addressNotFetched}
        else:
            command = subprocess.Popen([shell, "-c", "--", job["command"].replace("\\r\\n", "\\n")],
                stdin=subprocess.DEVNULL, stdout=out, stderr=err, start_new_session=True,
                env=dict(os.environ, **job["environment"]))
except (OSError, ValueError) as error:
    say("The command could not be started: %s." % error)
    code = 127
targets = [copy_to_log] + ([follow_output] if job.get("output") else []) + ([watch_folder] if kept else [])
helpers = [threading.Thread(target=each, daemon=True) for each in targets]
for helper in helpers:
    helper.start()
while code is None:
    code, now = wait_for_command(), time.monotonic()
    if code is None and ending is None and (stopped_at or now >= until):
        ending = "stopped" if stopped_at else "time"
        signal_command(signal.SIGTERM)
        kill_at = now + (2 if stopped_at else max(1, min(10, reserve // 2)))
    elif code is None and kill_at and now >= kill_at:
        signal_command(signal.SIGKILL)
    if code is None:
        time.sleep(0.05)
finished = time.monotonic()
if ending:
    signal_command(signal.SIGKILL)
ended.set()
helpers[0].join(10)
`;
