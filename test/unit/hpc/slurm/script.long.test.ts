import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { buildArrayScript, buildScript, type ScriptJob } from '#lib/hpc/script/build-script.ts';
import { limitOf } from '#lib/hpc/script/script-terms.ts';
import { buildZip } from '#test/fixtures/build-zip.ts';
import { craftZip } from '#test/unit/zips/craft-zip.ts';

/** All that the script needs on a node that has neither zip nor unzip. */
const withoutZip = ['bash', 'cat', 'head', 'mkdir', 'python3', 'rm', 'wc'];
const pythonIsPresent = existsSync('/usr/bin/python3');

const address = `https://slipway.example/a?pass=a'b"c\\d$(touch harm)\`touch harm\`;x`;
const signed = 'https://files.example/r?X-Amz-Signature=abc';

/** What each kind of call prints, one line a call; the last one again and again. */
interface Answers {
  readonly input?: readonly string[];
  readonly service?: readonly string[];
  readonly storage?: readonly string[];
}

interface Circumstances {
  readonly answers?: Answers;
  /** What curl fetches. */
  readonly zip?: Uint8Array;
  /** What the service says where it does not send on. */
  readonly refusal?: string;
  /** The only programs that there are, instead of all of this machine. */
  readonly programs?: readonly string[] | undefined;
  /** Whether its directory is there, as somebody else's, and cannot be removed. */
  readonly isOccupied?: boolean;
  /** Whether a pause takes a second, instead of none. */
  readonly waits?: boolean;
  /** Writes the script; by default that of a single job. */
  readonly write?: (job: ScriptJob) => string;
}

const usual = { input: ['200 '], service: [`307 ${signed}`], storage: ['200 '] };

/** Writes down its arguments and its input, and answers as it is told; 000 is no answer. */
const curl = `#!/bin/bash
{ echo "arguments: $*"; cat; } >>"$0.log"
case $* in
  *--location*) kind=input; if [ -e "$0.zip" ]; then cat "$0.zip" >../input.zip; fi ;;
  *--upload-file*) kind=storage ;;
  *) kind=service; cat "$0.refusal" >../answer ;;
esac
mapfile -t answers <"$0.$kind"
if [ "\${#answers[@]}" -gt 1 ]; then printf '%s\\n' "\${answers[@]:1}" >"$0.$kind"; fi
printf '%s' "\${answers[0]}"
case \${answers[0]} in 000*) exit 7 ;; esac
`;

/** Runs the script as Slurm would, with a curl in its path that is none, and a clock that never waits. */
function runScript(
  order: Partial<ScriptJob> & Pick<ScriptJob, 'command'>,
  circumstances: Circumstances = {},
) {
  const { answers, zip, refusal = '', programs, isOccupied = false, waits = false } = circumstances;
  const { write = (job) => buildScript(job, limitOf(10)) } = circumstances;
  const folder = mkdtempSync(join(tmpdir(), "slipway-script-it's "));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'curl'), curl, { mode: 0o755 });
  writeFileSync(
    join(folder, 'sleep'),
    `#!/bin/bash\necho "$1" >>"$0.log"\n${waits ? 'exec /bin/sleep 1.1\n' : ''}`,
    { mode: 0o755 },
  );
  writeFileSync(join(folder, 'curl.refusal'), refusal);
  for (const [kind, lines] of Object.entries({ ...usual, ...answers })) {
    writeFileSync(join(folder, `curl.${kind}`), `${lines.join('\n')}\n`);
  }
  if (zip) writeFileSync(join(folder, 'curl.zip'), zip);
  for (const program of programs ?? []) symlinkSync(`/usr/bin/${program}`, join(folder, program));
  const directory = join(folder, 'JOB-1');
  if (isOccupied) {
    mkdirSync(join(directory, 'job'), { recursive: true });
    writeFileSync(join(folder, 'rm'), '#!/bin/bash\nexit 1\n', { mode: 0o755 });
  }
  const { status, stdout } = spawnSync('/bin/bash', ['-s'], {
    encoding: 'utf8',
    input: write({ ...order, directory }),
    cwd: folder,
    env: {
      PATH: programs ? folder : `${folder}:${process.env.PATH}`,
      SLIPWAY_WARNS: 'yes',
      SLURM_ARRAY_TASK_ID: '7',
    },
  });
  const read = (name: string, encoding: BufferEncoding = 'utf8') => {
    const path = join(folder, name);
    return existsSync(path) ? readFileSync(path, encoding) : undefined;
  };
  return { status, log: stdout, read };
}

const lost = { storage: ['500 '] };

describe('the script of a job', () => {
  it('runs the command in a directory of its own and keeps what it says', () => {
    const { status, read } = runScript({ command: 'echo "$PWD"; echo wrong >&2' });
    expect(status).toBe(0);
    expect(read('JOB-1/job/stdout')).toMatch(/it's .*\/JOB-1\/job\n$/);
    expect(read('JOB-1/job/stderr')).toBe('wrong\n');
    expect(read('curl.log')).toBeUndefined();
  });

  it('does not run in a directory that somebody else has made under its name', () => {
    const { status, read } = runScript({ command: 'echo ran' }, { isOccupied: true });
    expect(status).toBe(240);
    expect(read('JOB-1/job/stdout')).toBeUndefined();
  });

  it.each(['exit 7', '(exit 7)', `bash -c 'exit 7'`])('ends as the command does: %s', (command) => {
    const { status, read } = runScript({ command, resultsAddress: address });
    expect(status).toBe(7);
    expect(read('curl.log')).toContain('--upload-file');
  });

  it.each([
    { command: `echo 'it'"'"'s'`, says: "it's\n" },
    { command: `echo "a'b" '$HOME' \`echo c\``, says: "a'b $HOME c\n" },
    { command: 'echo one\r\necho two', says: 'one\ntwo\n' },
    { command: "echo '\nEOF\n'", says: '\nEOF\n\n' },
    { command: '# only words\n--help; echo still', says: 'still\n' },
  ])('hands the command on as it is: $command', ({ command, says }) => {
    expect(runScript({ command }).read('JOB-1/job/stdout')).toBe(says);
  });

  it('knows its account without an environment', () => {
    const command = 'printf "%s\\n" "$HOME" "$USER" "$LOGNAME"; [ -x "$SHELL" ] && echo shell';
    const { homedir, username } = userInfo();
    const { read } = runScript({ command });
    expect(read('JOB-1/job/stdout')).toBe(`${homedir}\n${username}\n${username}\nshell\n`);
  });

  it('reads the profile of its account in a login shell alone, and runs the setup before', () => {
    const home = mkdtempSync(join(tmpdir(), 'slipway-home-'));
    onTestFinished(() => rmSync(home, { recursive: true }));
    writeFileSync(join(home, '.bash_profile'), 'module() { echo "module $*"; }\n');
    const setup = ['module load solver', "said='it is'"];
    const job = { command: 'echo "$said"', environment: { HOME: home } };
    const runIn = (shell: 'login' | 'plain') =>
      runScript(job, { write: (each) => buildScript(each, { ...limitOf(10), shell, setup }) });
    expect(runIn('login').read('JOB-1/job/stdout')).toBe('module load solver\nit is\n');
    expect(runIn('plain').read('JOB-1/job/stdout')).toBe('it is\n');
    expect(runIn('plain').read('JOB-1/job/stderr')).toContain('module: command not found');
  });

  it('asks where its results go, and sends them there, by addresses that no argument shows', () => {
    const { status, log, read } = runScript({ command: 'true', resultsAddress: address });
    expect(status).toBe(0);
    expect(log).toBe('');
    const [asked, askedAt, sent, sentTo] = read('curl.log')!.split('\n');
    expect(asked).toMatch(/^arguments: -q --config - .*--request PUT --data {2}--output /);
    expect(sent).toMatch(
      /^arguments: -q --config - .*--header If-None-Match: \* --upload-file \.\.\/results\.zip /,
    );
    expect(asked).not.toContain('pass');
    expect(sent).not.toContain('Signature');
    expect(askedAt).toMatch(/^url = ".*&bytes=[1-9][0-9]+&before=\d+&after=\d+&run_number=1"$/);
    expect(askedAt?.replace(/&bytes=.*/, '')).toBe(
      `url = "https://slipway.example/a?pass=a%27b%22c\\\\d$(touch%20harm)\`touch%20harm\`;x`,
    );
    expect(sentTo).toBe(`url = "${signed}"`);
    expect(read('harm')).toBeUndefined();
  });

  it('announces as many bytes as it sends', () => {
    const answers = { storage: ['403 '] };
    const { read } = runScript({ command: 'echo a', resultsAddress: address }, { answers });
    const [, bytes] = /&bytes=(\d+)&/.exec(read('curl.log')!)!;
    expect(Buffer.byteLength(read('JOB-1/results.zip', 'latin1')!, 'latin1')).toBe(Number(bytes));
  });

  it('leaves nothing behind once its results are sent, and all where they are not', () => {
    const sent = runScript({ command: 'true', resultsAddress: address });
    expect(sent.read('JOB-1/job/stdout')).toBeUndefined();
    const kept = runScript({ command: 'echo kept', resultsAddress: address }, { answers: lost });
    expect(kept.read('JOB-1/job/stdout')).toBe('kept\n');
    expect(kept.status).toBe(243);
    expect(kept.log).toMatch(/^slipway: The results are still in .*\/JOB-1\.$/m);
  });

  it('ends as the command did, even where its results were not sent', () => {
    const order = { command: 'exit 7', resultsAddress: address };
    expect(runScript(order, { answers: lost }).status).toBe(7);
    expect(runScript(order, { answers: { service: ['413 '] } }).status).toBe(7);
  });

  it('does not begin without its input', () => {
    const { status, read } = runScript(
      { command: 'true', inputAddress: address },
      { answers: { input: ['404 '] } },
    );
    expect(status).toBe(241);
    expect(read('JOB-1/job/stdout')).toBeUndefined();
    expect(runScript({ command: 'true', inputAddress: address }).status).toBe(242);
  });

  it.each([
    { answers: { input: ['000 ', '503 ', '429 ', '200 '] }, pauses: 3 },
    { answers: { service: ['000 ', `307 ${signed}`] }, pauses: 1 },
    // An address that ended on its way is asked for again.
    { answers: { storage: ['403 ', '500 ', '200 '] }, pauses: 2 },
  ])('tries again what failed for a while: $answers', ({ answers, pauses }) => {
    const zip = buildZip([{ name: 'a', content: 'a' }]);
    const order = { command: 'true', inputAddress: address, resultsAddress: address };
    const { status, read } = runScript(order, { answers, zip });
    expect(status).toBe(0);
    expect(read('sleep.log')?.trim().split('\n')).toHaveLength(pauses);
  });

  it.each([
    { answers: { input: ['503 '] }, ends: 241, says: 'The input could not be fetched: HTTP 503.' },
    { answers: { input: ['000 '] }, ends: 241, says: 'The input could not be fetched: no answer.' },
    { answers: { storage: ['500 '] }, ends: 243, says: 'The results could not be sent: HTTP 500.' },
  ])('gives up after some minutes: $says', ({ answers, ends, says }) => {
    const zip = buildZip([{ name: 'a', content: 'a' }]);
    const order = { command: 'true', inputAddress: address, resultsAddress: address };
    const { status, log, read } = runScript(order, { answers, zip });
    expect(status).toBe(ends);
    const tries = log.split('\n').filter((line) => line === `slipway: ${says}`);
    const pauses = read('sleep.log')!.trim().split('\n').map(Number);
    expect(tries).toHaveLength(pauses.length + 1);
    expect(pauses.reduce((sum, pause) => sum + pause)).toBe(300);
    // So that a job does not go on waiting for a service that is back.
    expect(Math.max(...pauses)).toBeLessThan(20);
    expect(pauses.length).toBeLessThan(40);
  });

  it('says how long its command did not run, before it and after it', () => {
    const zip = buildZip([{ name: 'a', content: 'a' }]);
    const order = { command: 'true', inputAddress: address, resultsAddress: address };
    const answers = { input: ['000 ', '200 '], service: ['000 ', `307 ${signed}`] };
    const { read } = runScript(order, { answers, zip, waits: true });
    const claims = [...read('curl.log')!.matchAll(/&before=(\d+)&after=(\d+)&run_number=1"/g)];
    const [first, second] = claims.map(([, before, after]) => ({
      before: Number(before),
      after: Number(after),
    }));
    expect(first?.before).toBeGreaterThanOrEqual(1);
    expect(second?.before).toBe(first?.before);
    expect(second?.after).toBeGreaterThan(first?.after ?? 0);
  });

  it('does not let its command say how long it ran', () => {
    const order = { command: 'ended=-999 began=999; export SECONDS=0', resultsAddress: address };
    expect(runScript(order).read('curl.log')).toMatch(
      /&before=\d{1,2}&after=\d{1,2}&run_number=1"/,
    );
  });

  it.each([
    { answers: { input: ['404 '] }, ends: 241, says: 'HTTP 404. Slipway knows no such living job' },
    { answers: { service: ['404 '] }, ends: 243, says: 'HTTP 404. Slipway knows no such living' },
    { answers: { service: ['413 '] }, ends: 244, says: 'refused with HTTP 413.' },
  ])('does not try again what is refused for good: $answers', ({ answers, ends, says }) => {
    const zip = buildZip([{ name: 'a', content: 'a' }]);
    const refusal = '{"detail":"in words"}';
    const order = { command: 'true', inputAddress: address, resultsAddress: address };
    const { status, log, read } = runScript(order, { answers, zip, refusal });
    expect(status).toBe(ends);
    expect(log).toContain(says);
    if ('service' in answers) expect(log).toContain(`slipway: ${refusal}\n`);
    expect(read('sleep.log')).toBeUndefined();
  });

  it('takes results for sent if an earlier try sent them', () => {
    const answers = { storage: ['412 '] };
    const { status, log, read } = runScript(
      { command: 'true', resultsAddress: address },
      { answers },
    );
    expect(status).toBe(0);
    expect(log).toBe('slipway: The results of this run are there already.\n');
    expect(read('JOB-1/results.zip')).toBeUndefined();
  });

  it.runIf(pythonIsPresent).each([
    { where: 'on this machine', programs: undefined },
    { where: 'where there is no unzip', programs: withoutZip },
  ])('finds its input as it was packed, $where', ({ programs }) => {
    const command = './run.sh "in/ümläut.txt"';
    const inputAddress = address;
    const program = { name: 'run.sh', content: '#!/bin/bash\ncat "$1"\n' };
    const text = { name: 'in/ümläut.txt', content: 'forty-two' };
    const runnable = craftZip([text, { ...program, mode: 0o100755 }]);
    const ran = runScript({ command, inputAddress }, { zip: runnable, programs });
    expect(ran.read('JOB-1/job/stdout')).toBe('forty-two');
    // As browsers and Windows pack: with no modes, and names in UTF-8.
    const zip = buildZip([text, program]);
    const given = runScript({ command: `bash ${command}`, inputAddress }, { zip, programs });
    expect(given.read('JOB-1/job/stdout')).toBe('forty-two');
  });

  it.runIf(pythonIsPresent)(
    'packs its results where there is no zip, and runs nothing that lies among them',
    () => {
      const command = `echo 'raise SystemExit(9)' >struct.py`;
      const circumstances = { answers: lost, programs: withoutZip };
      const { status, read } = runScript({ command, resultsAddress: address }, circumstances);
      expect(status).toBe(243);
      expect(read('JOB-1/results.zip')).toContain('struct.py');
    },
  );

  it('shows the command no address in its environment', () => {
    const order = { command: 'env; set', resultsAddress: address };
    const { read } = runScript(order, { answers: lost });
    expect(read('JOB-1/job/stdout')).not.toMatch(/Signature|pass=/);
  });
});

const variables = {
  SLIPWAY_INDEX: '7',
  SLIPWAY_NAME: `it's "$HOME" \`id\` \\ a\nb`,
  SLIPWAY_WARNS: 'x',
};
const printVariables = 'printf "%s|" "$SLIPWAY_INDEX" "$SLIPWAY_NAME" "$SLIPWAY_WARNS"';

describe('the environment of a job', () => {
  it('reaches the command as it is written, and not the script', () => {
    const { status, read } = runScript({ command: printVariables, environment: variables });
    expect(status).toBe(0);
    expect(read('JOB-1/job/stdout')).toBe(`7|${variables.SLIPWAY_NAME}|x|`);
  });
});

describe('the script of an array', () => {
  const writeArray = (job: ScriptJob) => {
    const other = { ...job, command: 'echo wrong', directory: `${job.directory}-other` };
    const tasks = [
      { task: 0, job: other },
      { task: 7, job },
      { task: 70, job: other },
    ];
    return buildArrayScript(tasks, limitOf(10));
  };

  it('runs the job of its task, in the directory and with the variables of that job', () => {
    const job = { command: printVariables, environment: variables };
    const { status, read } = runScript(job, { write: writeArray });
    expect(status).toBe(0);
    expect(read('JOB-1/job/stdout')).toBe(`7|${variables.SLIPWAY_NAME}|x|`);
    expect(read('JOB-1-other/job/stdout')).toBeUndefined();
  });

  it('fetches the input and sends the results of that job, and writes its log', () => {
    const job = {
      command: 'exit 7',
      inputAddress: `${address}&input`,
      resultsAddress: `${address}&results`,
    };
    const zip = buildZip([{ name: 'a.txt', content: 'a' }]);
    const { status, log, read } = runScript(job, { write: writeArray, zip, answers: lost });
    expect(status).toBe(7);
    expect(log).toBe('');
    expect(read('JOB-1.log')).toContain('The results could not be sent');
    expect(read('curl.log')).toMatch(/input.*results/s);
    expect(read('JOB-1/job/a.txt')).toBeUndefined();
  });

  it('does nothing for a task that it does not have', () => {
    const writeOther = (job: ScriptJob) => buildArrayScript([{ task: 8, job }], limitOf(10));
    const { status, read } = runScript({ command: 'true' }, { write: writeOther });
    expect(status).toBe(240);
    expect(read('JOB-1/job/stdout')).toBeUndefined();
  });
});
