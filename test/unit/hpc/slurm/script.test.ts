import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { buildScript, type ScriptOrder } from '#lib/hpc/slurm/submit/build-script.ts';
import { buildZip } from '#test/fixtures/build-zip.ts';
import { craftZip } from '#test/unit/files/craft-zip.ts';

/** All that the script needs on a node that has neither zip nor unzip. */
const withoutZip = ['bash', 'cat', 'mkdir', 'python3', 'rm'];
const pythonIsPresent = existsSync('/usr/bin/python3');

const address = `https://files.example/a?X-Amz-Signature=a'b"c\\d$(touch harm)\`touch harm\`;x`;

interface Circumstances {
  readonly curlEnds?: number;
  /** What curl fetches. */
  readonly zip?: Uint8Array;
  /** The only programs that there are, instead of all of this machine. */
  readonly programs?: readonly string[] | undefined;
}

/**
 * Runs the script as Slurm would, with a curl in its path that writes down its arguments and its
 * input, and ends as it is told.
 */
function runScript(
  order: Omit<ScriptOrder, 'directory'>,
  { curlEnds = 0, zip, programs }: Circumstances = {},
) {
  const folder = mkdtempSync(join(tmpdir(), "slipway-script-it's "));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const note = '{ echo "arguments: $*"; cat; } >>"$0.log"';
  const fetchZip = zip ? 'cat "$0.zip" >../input.zip' : '';
  const curl = `#!/bin/bash\n${note}\n${fetchZip}\nexit ${curlEnds}\n`;
  writeFileSync(join(folder, 'curl'), curl, { mode: 0o755 });
  if (zip) writeFileSync(join(folder, 'curl.zip'), zip);
  for (const program of programs ?? []) symlinkSync(`/usr/bin/${program}`, join(folder, program));
  const directory = join(folder, 'JOB-1');
  const { status } = spawnSync('/bin/bash', ['-s'], {
    input: buildScript({ ...order, directory }),
    cwd: folder,
    env: { PATH: programs ? folder : `${folder}:${process.env.PATH}` },
  });
  const read = (name: string) => {
    const path = join(folder, name);
    return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  };
  return { status, read };
}

describe('the script of a job', () => {
  it('runs the command in a directory of its own and keeps what it says', () => {
    const { status, read } = runScript({ command: 'echo "$PWD"; echo wrong >&2' });
    expect(status).toBe(0);
    expect(read('JOB-1/job/stdout')).toMatch(/it's .*\/JOB-1\/job\n$/);
    expect(read('JOB-1/job/stderr')).toBe('wrong\n');
    expect(read('curl.log')).toBeUndefined();
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

  it('sends results by an address that no argument shows and no shell reads', () => {
    const { status, read } = runScript({ command: 'true', resultsAddress: address });
    expect(status).toBe(0);
    const [called, configured] = read('curl.log')!.split('\n');
    expect(called).toMatch(/^arguments: -q --config - .*--upload-file \.\.\/results\.zip$/);
    expect(called).not.toContain('Signature');
    expect(configured).toBe(
      `url = "https://files.example/a?X-Amz-Signature=a%27b%22c\\\\d$(touch%20harm)\`touch%20harm\`;x"`,
    );
    expect(read('harm')).toBeUndefined();
  });

  it('leaves nothing behind once its results are sent, and all where they are not', () => {
    const sent = runScript({ command: 'true', resultsAddress: address });
    expect(sent.read('JOB-1/job/stdout')).toBeUndefined();
    const kept = runScript({ command: 'echo kept', resultsAddress: address }, { curlEnds: 22 });
    expect(kept.read('JOB-1/job/stdout')).toBe('kept\n');
    expect(kept.status).toBe(243);
  });

  it('ends as the command did, even where its results were not sent', () => {
    expect(runScript({ command: 'exit 7', resultsAddress: address }, { curlEnds: 22 }).status).toBe(
      7,
    );
  });

  it('does not begin without its input', () => {
    const { status, read } = runScript(
      { command: 'true', inputAddress: address },
      { curlEnds: 22 },
    );
    expect(status).toBe(241);
    expect(read('JOB-1/job/stdout')).toBeUndefined();
    expect(runScript({ command: 'true', inputAddress: address }).status).toBe(242);
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
      const circumstances = { curlEnds: 22, programs: withoutZip };
      const { status, read } = runScript({ command, resultsAddress: address }, circumstances);
      expect(status).toBe(243);
      expect(read('JOB-1/results.zip')).toContain('struct.py');
    },
  );

  it('shows the command no address in its environment', () => {
    const order = { command: 'env; set', resultsAddress: address };
    expect(runScript(order, { curlEnds: 22 }).read('JOB-1/job/stdout')).not.toContain('Signature');
  });
});
