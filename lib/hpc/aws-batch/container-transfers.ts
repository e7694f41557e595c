import { longestRetrySeconds, outputTailBytes } from '../connector.ts';
import { inputTime, scriptExits } from '../script/script-terms.ts';
import { defineUnsafe } from '../script/script-transfers.ts';

/** A container gets 30 seconds from TERM to KILL by default, and packs in them, too. */
const stoppedPatienceSeconds = 15;

/**
 * Defines how the script calls the service. Retries for five minutes, unless the answer says that
 * retrying is pointless. After TERM there is no time for that, so the last tries end soon. Redirects
 * are followed by hand, because the service answers a PUT without a body with the address for the
 * body. Messages never quote an address, because it holds a pass.
 */
export const callService = `
stopped_at = None
class Failed(Exception):
    def __init__(self, text, hopeless=False, code=None):
        super().__init__(text)
        self.hopeless, self.code = hopeless, code
class KeepRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None
own_host = service[8:] if service.startswith("https:") else service
def locate(place):
    return service + place if place.startswith("/") else place
opener = urllib.request.build_opener(KeepRedirects)
def call(method, target, body=None, headers={}, timeout=120):
    request = urllib.request.Request(target, data=body, headers=headers, method=method)
    try:
        return opener.open(request, timeout=timeout)
    except urllib.error.HTTPError as error:
        return error
def refused(what, status):
    if status == 404:
        return Failed(what + ": refused with HTTP 404. Slipway knows no such active job: it was "
            "cancelled, or counts as ended, or was handed over many months ago.", hopeless=True)
    if status in (400, 405, 413):
        return Failed("%s: refused with HTTP %d." % (what, status), hopeless=True)
    return Failed("%s: HTTP %d." % (what, status))
def keep_trying(what, step, patience=(None,)):
    seconds = job["patienceSeconds"] if patience[0] is None else patience[0]
    pause, last = 0, time.monotonic() + seconds
    while True:
        try:
            step()
            return None
        except Failed as error:
            failure = error
        except (OSError, http.client.HTTPException) as error:
            reason = getattr(error, "reason", error)
            failure = Failed("%s: no answer (%s)." % (what, type(reason).__name__))
        say(str(failure))
        if failure.hopeless:
            return failure
        if stopped_at is not None:
            last = min(last, stopped_at + ${stoppedPatienceSeconds})
        rest = last - time.monotonic()
        if rest <= 0:
            say("That was the last try.")
            return failure
        pause = min(pause * 2 + 1, ${longestRetrySeconds / 2}) * random.uniform(1, 2)
        time.sleep(min(pause, rest))
`;

/**
 * Unpacks only what the disk has room for, and nothing of an archive with unsafe entries. Python reads
 * no more of a file than the archive announces, but drops the permission to execute.
 */
export const fetchInput = `${defineUnsafe}
def fetch_input():
    target = service + job["input"]
    for _ in range(5):
        with call("GET", target) as answer:
            if answer.code in (301, 302, 303, 307, 308):
                target = urllib.parse.urljoin(target, answer.headers["Location"])
                continue
            if answer.code != 200:
                raise refused("The input could not be fetched", answer.code)
            with open(beside("input.zip"), "wb") as file:
                shutil.copyfileobj(answer, file, 1 << 20)
                announced = answer.headers["Content-Length"]
                if announced is not None and file.tell() != int(announced):
                    raise Failed("The input could not be fetched: it ended early.")
            return
    raise Failed("The input could not be fetched: too many redirects.")
def unpack_input():
    with zipfile.ZipFile(beside("input.zip")) as archive:
        entries = archive.infolist()
        if any(is_unsafe(entry) for entry in entries):
            raise ValueError("it has entries that would leave their folder")
        needed, free = sum(entry.file_size for entry in entries), shutil.disk_usage(".").free
        if needed > free:
            raise ValueError("it expands to %d bytes, and %d are free" % (needed, free))
        for entry in entries:
            path = archive.extract(entry)
            if entry.external_attr >> 16 & 0o100 and os.path.isfile(path):
                os.chmod(path, 0o700)
    os.remove(beside("input.zip"))
def describe(path):
    seen = os.lstat(path)
    return seen.st_size, seen.st_mtime_ns, seen.st_ctime_ns, seen.st_ino
known = {}
if job.get("input"):
    if keep_trying("The input could not be fetched", fetch_input):
        leave(${scriptExits.inputNotFetched})
    try:
        unpack_input()
        for folder, _, names in os.walk("."):
            for name in names:
                path = os.path.join(folder, name)
                os.utime(path, (${inputTime}, ${inputTime}))
                known[path] = describe(path)
    except Exception as error:
        say("The input could not be unpacked: %s." % error)
        leave(${scriptExits.inputNotUnpacked})
`;

/**
 * Sends the ends of the two streams every few seconds while somebody follows the job. Otherwise the
 * job asks less and less often whether somebody does, down to once a minute.
 */
export const followOutput = `
streams, ended = ("stdout", "stderr"), threading.Event()
def tell_service(query, body=None):
    if not job.get("output"):
        return False
    headers = {"Content-Type": "application/octet-stream"} if body else {}
    try:
        target = "%s%s&run_number=%d%s" % (service, job["output"], run, query)
        with call("PUT", target, body, headers, timeout=30) as answer:
            return answer.code == 200 and json.loads(answer.read(1000)).get("followed") is True
    except (OSError, ValueError, http.client.HTTPException):
        return False
def send_output(rest=""):
    query, body = "", b""
    for name in streams:
        with open(name, "rb") as file:
            size = file.seek(0, 2)
            start = file.seek(max(0, size - ${outputTailBytes}))
            part = file.read(size - start)
        query += "&%s=%d,%d" % (name, start, len(part))
        body += part
    return tell_service(query + rest, body or b"")
def follow_output():
    unit = job["followSeconds"]
    pause, followed, sent = unit, False, None
    while not ended.wait(pause):
        try:
            sizes = [os.path.getsize(name) for name in streams]
            if followed and sizes != sent:
                followed, sent = send_output(), sizes
            elif not tell_service(""):
                followed = False
            elif not followed:
                followed, sent = send_output(), sizes
        except OSError:
            followed = False
        pause = unit if followed else (pause * 2 if pause < 6 * unit else 12 * unit)
`;

/**
 * Sends a file by PUT. The body waits for the consent of the receiver, because a refusal in the middle
 * of it would look like a lost connection.
 */
export const uploadFile = `
def upload(target, path, more, look=lambda sent: None, timeout=120):
    parts = urllib.parse.urlsplit(target)
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    connection = kind(parts.netloc, timeout=timeout)
    try:
        connection.putrequest("PUT", (parts.path or "/") + ("?" + parts.query if parts.query else ""))
        headers = {"Content-Length": os.path.getsize(path), "Expect": "100-continue"}
        for name, value in list(headers.items()) + list(more.items()):
            connection.putheader(name, value)
        connection.endheaders()
        connection.sock.settimeout(5)
        try:
            with connection.sock.makefile("rb", 0) as answer:
                first = answer.readline(200).split(b" ")
                while first[1:2] == [b"100"] and answer.readline(2000).strip():
                    pass
            if first[1:2] != [b"100"]:
                return int(first[1])
        except (TimeoutError, OSError) as error:
            if "timed out" not in str(error):
                raise
        connection.sock.settimeout(timeout)
        with open(path, "rb") as file:
            part = file.read(1 << 20)
            while part:
                connection.send(part)
                look(file.tell())
                part = file.read(1 << 20)
        return connection.getresponse().status
    finally:
        connection.close()
`;

/** 128 and TERM. */
const terminated = 143;

/**
 * Leaves out input that the job did not change. Packs links as links, because their targets may
 * belong to anybody. Packs quickly rather than small, because the time for it is short.
 *
 * A host that is reclaimed looks like a cancel. The exit code must not be 0 then, even if the
 * command ended well on TERM, because AWS Batch repeats only runs that failed.
 *
 * First asks the service where to send the results, because its gateway accepts no large body. The
 * call carries the number of bytes, the seconds before and after the command, and the number of the
 * run. If the results of this run are there already, the answer to an earlier try was lost.
 */
export const sendResults = `
def pack_file(archive, path, name, seen):
    entry = zipfile.ZipInfo.from_file(path, name, strict_timestamps=False)
    entry.compress_type, entry._compresslevel = zipfile.ZIP_DEFLATED, 1
    with open(path, "rb") as source, archive.open(entry, "w") as target:
        rest = seen.st_size
        while rest > 0:
            part = source.read(min(rest, 1 << 20))
            if not part:
                break
            target.write(part)
            rest -= len(part)
def pack_entry(archive, path):
    name = os.fsencode(os.path.relpath(path, ".")).decode("utf-8", "replace")
    seen = os.lstat(path)
    if stat.S_ISLNK(seen.st_mode):
        entry = zipfile.ZipInfo(name)
        entry.create_system, entry.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
        archive.writestr(entry, os.fsencode(os.readlink(path)))
    elif stat.S_ISDIR(seen.st_mode):
        archive.write(path, name)
    elif stat.S_ISREG(seen.st_mode) and known.get(path) != describe(path):
        pack_file(archive, path, name, seen)
def pack_results():
    with zipfile.ZipFile(beside("results.zip"), "w", strict_timestamps=False) as archive:
        for folder, folders, names in os.walk("."):
            for name in folders + names:
                path = os.path.join(folder, name)
                try:
                    pack_entry(archive, path)
                except (FileNotFoundError, PermissionError) as error:
                    say("%s is left out: %s." % (ascii(path), error.strerror))
def send_results():
    size = os.path.getsize(beside("results.zip"))
    query = "&bytes=%d&before=%d&after=%d&run_number=%d" % (
        size, began - started, time.monotonic() - finished, run)
    if code or ending:
        query += "&cut=true"
    with call("PUT", service + job["results"] + query) as answer:
        if answer.code != 307:
            failure = refused("The %d bytes of the results could not be announced" % size, answer.code)
            text = answer.read(2000).decode("utf-8", "replace")
            failure.code = ${scriptExits.resultsTooLarge} if answer.code == 413 else None
            if text:
                say(text)
            raise failure
        target = answer.headers["Location"]
    status = upload(target, beside("results.zip"), {"If-None-Match": "*"})
    if status == 412:
        say("The results of this run are there already.")
    elif status != 200:
        raise refused("The results could not be sent", status)
if ending == "stopped":
    send_output("&last=true")
    if job.get("repeats"):
        code = code or ${terminated}
fault = None
try:
    pack_results()
    failure = keep_trying("The results could not be sent", send_results)
    if failure:
        fault = failure.code or ${scriptExits.resultsNotSent}
except Exception as error:
    say("The results could not be packed: %s." % error)
    fault = ${scriptExits.resultsNotSent}
if fault:
    say("The results are lost.")
    code = code or fault
leave(${scriptExits.timeLimit} if ending == "time" else code)
`;
