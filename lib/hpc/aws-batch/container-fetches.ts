import { leastBytesPerSecond, mostRedirects } from '../script/fetch-files.ts';
import { inputTime } from '../script/script-terms.ts';

/**
 * Fetches files from addresses as the scripts of other systems do (lib/hpc/script/fetch-files.ts): redirects
 * only lead to hosts that the catalog allows, a broken answer is gone on with, and a failure is said
 * by the name of the file and of the host, because an address may hold a signature.
 */
export const fetchFiles = `
fetching, fetched_host = job.get("fetching"), ""
may_ask = fetching and fetching["hosts"] + fetching.get("trusted", []) + [own_host]
def is_allowed(parts):
    place = parts.scheme + "://" + parts.netloc.lower()
    return "\\\\" not in place and "@" not in place and any(
        place == host if host.startswith("http:")
        else parts.scheme == "https" and place.endswith(host[1:]) if host.startswith("*.")
        else place == "https://" + host for host in may_ask)
def follow(target, start):
    global fetched_host
    for _ in range(${mostRedirects} + 1):
        parts = urllib.parse.urlsplit(target)
        fetched_host = parts.netloc
        if not is_allowed(parts):
            raise Failed("it is not among the hosts that this system allows", hopeless=True)
        answer = call("GET", target, None, {"Range": "bytes=%d-" % start} if start else {},
            timeout=max(0.1, min(60, until - time.monotonic())))
        if answer.code not in (301, 302, 303, 307, 308):
            return answer
        with answer:
            target = urllib.parse.urljoin(target, answer.headers["Location"] or "")
    raise Failed("it redirects too often", hopeless=True)
def fetch_part(target):
    part = beside("fetched.part")
    start = os.path.getsize(part)
    if time.monotonic() >= until:
        raise Failed("there was no time left", hopeless=True)
    with follow(target, start) as answer, open(part, "ab") as file:
        if answer.code not in (200, 206):
            if answer.code == 416:
                file.truncate(0)
            lasts = answer.code < 500 and answer.code not in (408, 416, 425, 429)
            raise Failed("HTTP %d" % answer.code, hopeless=lasts)
        if answer.code == 200:
            start = file.truncate(0)
        begin, size = time.monotonic(), file.seek(0, 2)
        announced = answer.headers["Content-Length"]
        whole = None if announced is None else size + int(announced)
        while True:
            chunk = answer.read1(1 << 20)
            if not chunk:
                break
            size += len(chunk)
            if size > fetching["maxBytes"]:
                raise Failed("it is larger than %d bytes" % fetching["maxBytes"], hopeless=True)
            file.write(chunk)
            now = time.monotonic()
            if now >= until or stopped_at is not None:
                raise Failed("it was too slow", hopeless=True)
            if now - begin >= 60 and size - start < ${leastBytesPerSecond} * (now - begin):
                raise Failed("it was too slow")
        if whole is not None and size != whole:
            raise Failed("it ended early")
def fetch_file(source, to, wanted):
    part = beside("fetched.part")
    with open(part, "wb"):
        pass
    def try_once():
        try:
            fetch_part(source)
        except TimeoutError:
            raise Failed("it was too slow", hopeless=time.monotonic() >= until)
    failure = keep_trying("The input %s" % ascii(to), try_once)
    if failure:
        return "no answer" if "no answer" in str(failure) else str(failure)
    digest = hashlib.sha256()
    with open(part, "rb") as file:
        for chunk in iter(lambda: file.read(1 << 20), b""):
            digest.update(chunk)
    if wanted and digest.hexdigest() != wanted:
        return "its checksum is " + digest.hexdigest()
    path = os.path.join(".", to)
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        os.replace(part, path)
    except OSError as error:
        return "it could not be put there (%s)" % error.strerror
    os.utime(path, (${inputTime}, ${inputTime}))
    known[path] = describe(path)
    return None
def fetch_files():
    for each in fetching["files"]:
        why = fetch_file(locate(each["from"]), each["to"], each.get("sha256"))
        if why:
            return "slipway: The input %s could not be fetched from %s: %s." % (each["to"], fetched_host, why)
    return None
`;
