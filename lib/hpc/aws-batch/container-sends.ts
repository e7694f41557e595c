import { keptFiles, mostSentFiles, sentList } from '#lib/catalog/output-addresses.ts';
import { leastBytesPerSecond } from '../script/fetch-files.ts';
import { scriptExits } from '../script/script-terms.ts';

/**
 * Sends files after a command that ended well, as the scripts of other systems do
 * (lib/hpc/script/send-files.ts).
 */
export const sendFiles = `
import base64, re, unicodedata
sending, sent_host = job.get("sending"), ""
def send_part(path, output, digest):
    global sent_host
    target, headers = locate(output["address"]), {}
    size = os.path.getsize(path)
    sent_host = urllib.parse.urlsplit(target).netloc
    if size > sending["maxBytes"]:
        raise Failed("it is larger than %d bytes" % sending["maxBytes"], hopeless=True)
    if time.monotonic() >= send_until:
        raise Failed("there was no time left", hopeless=True)
    if output["asks"]:
        query = urllib.parse.urlencode({"file": os.fsencode(path), "length": size, "sha256": digest})
        with call("PUT", target + "&" + query, timeout=60) as answer:
            if answer.code != 307:
                raise judge_answer(answer.code)
            target = answer.headers["Location"]
        sent_host = urllib.parse.urlsplit(target).netloc
        checksum = base64.b64encode(bytes.fromhex(digest)).decode()
        headers = {"x-amz-checksum-sha256": checksum}
    begin, last = time.monotonic(), [time.monotonic(), 0]
    def look(sent):
        now = time.monotonic()
        if now >= send_until or stopped_at is not None:
            raise Failed("it was too slow", hopeless=True)
        if now - last[0] >= 60:
            if sent - last[1] < ${leastBytesPerSecond} * (now - last[0]):
                raise Failed("it was too slow")
            last[:] = now, sent
    try:
        status = upload(target, path, headers, look, max(0.1, min(60, send_until - begin)))
    except TimeoutError:
        raise Failed("it was too slow", hopeless=time.monotonic() >= send_until)
    if status not in range(200, 300):
        raise judge_answer(status)
def judge_answer(status):
    return Failed("HTTP %d" % status, hopeless=status < 500 and status not in (408, 425, 429))
def send_file(path, output):
    if "\\\\" in path or any(unicodedata.category(each) == "Cc" for each in path):
        return "its name has control characters or backslashes"
    digest = hashlib.sha256()
    try:
        with open(path, "rb") as file:
            for chunk in iter(lambda: file.read(1 << 20), b""):
                digest.update(chunk)
    except OSError:
        return "it cannot be read"
    digest = digest.hexdigest()
    failure = keep_trying("The output %s" % ascii(path), lambda: send_part(path, output, digest), send_last)
    if failure:
        if not failure.hopeless:
            send_last[0] = 0
        return "no answer" if "no answer" in str(failure) else str(failure)
    place = output["to"] + (path if output["to"].endswith("/") else "")
    line = {"file": path, "to": place, "length": os.path.getsize(path), "sha256": digest}
    sent_lines.append(json.dumps(line, ensure_ascii=False))
    return None
def find_sent(pattern):
    for folder, folders, names in os.walk("."):
        folders.sort()
        for name in sorted(names):
            path = os.path.relpath(os.path.join(folder, name), ".")
            is_kept = path in ${JSON.stringify(keptFiles)} or known.get("./" + path) == describe(path)
            if not is_kept and stat.S_ISREG(os.lstat(path).st_mode) and pattern.fullmatch(path):
                yield path
send_last, sent_lines = [None], []
def send_files():
    global sent_host
    unsent, sent, kept = [], set(), set()
    def tell(name, why):
        place = " to " + sent_host if sent_host else ""
        unsent.append("slipway: The output %s could not be sent%s: %s.\\n" % (name, place, why))
    for output in sending["outputs"]:
        sent_host = ""
        paths = list(find_sent(re.compile(output["pattern"], re.DOTALL)))
        if not paths:
            tell(output["files"], "there is no such file")
        for path in paths:
            sent_host = ""
            if len(sent) + len(kept) >= ${mostSentFiles}:
                tell(output["files"], "a job sends at most ${mostSentFiles} files")
                break
            why = send_file(path, output)
            (kept if why else sent).add(path)
            if why:
                tell(path, why)
    for path in sent - kept:
        os.remove(path)
    if sent_lines:
        with open("${sentList}", "wb") as file:
            file.write("".join(line + "\\n" for line in sent_lines).encode("utf-8", "surrogateescape"))
    with open("stderr", "ab") as file:
        file.write("".join(unsent).encode("utf-8", "surrogateescape"))
    return not unsent
if sending and code == 0 and not ending:
    send_until = started + job["limitSeconds"] - job["reserveSeconds"] / 2
    if not send_files():
        code = ${scriptExits.outputNotSent}
    if sending["paidBy"] == "user":
        finished = time.monotonic()
`;
