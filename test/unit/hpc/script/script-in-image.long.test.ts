import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { buildScript } from '#lib/hpc/script/build-script.ts';
import type { ImageTerms } from '#lib/hpc/script/choose-image.ts';
import { limitOf } from '#lib/hpc/script/script-terms.ts';

/** Write down their arguments, keep images as files, and run what is asked for without any image. */
const standIns = {
  apptainer: `#!/bin/bash
printf '%s\\n' "$*" >>"$0.log"
case $1 in
  pull) case $5 in *missing*) echo "FATAL: no $5" >&2; exit 255 ;; *) echo image >"$4" ;; esac ;;
  exec) while [ "$1" != /bin/sh ]; do shift; done; env -i PATH="$PATH" $(env | sed -n 's/^APPTAINERENV_//p') "$@" ;;
esac
`,
  podman: `#!/bin/bash
printf '%s\\n' "$*" >>"$0.log"
case "$*" in
  'image exists'*) [ -e "$0.image" ] ;;
  *missing*) echo "Error: no $3" >&2; exit 125 ;;
  pull*) : >"$0.image" ;;
  *' run '*) while [ "$1" != -c ]; do shift; done; exec /bin/sh "$@" ;;
esac
`,
};

const apptainer: ImageTerms = {
  runtime: 'apptainer',
  image: 'ghcr.io/org/tool:2',
  gpus: false,
  mounts: [],
};

function makeNode() {
  const folder = mkdtempSync(join(tmpdir(), 'slipway-node-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(standIns)) {
    writeFileSync(join(folder, name), text, { mode: 0o755 });
  }
  let jobs = 0;
  const read = (name: string) =>
    existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : undefined;
  function run(command: string, terms: Partial<ImageTerms> = {}, setup: string[] = []) {
    jobs += 1;
    const directory = join(folder, `JOB-${jobs}`);
    const environment = { SLIPWAY_INDEX: '7', SLIPWAY_NAME: 'x' };
    const image = { ...apptainer, cache: join(folder, 'cache'), ...terms };
    const { status } = spawnSync('/bin/bash', ['-s'], {
      input: buildScript({ command, directory, environment }, { ...limitOf(10), image, setup }),
      cwd: folder,
      env: { PATH: `${folder}:${process.env.PATH}`, SLIPWAY_WARNS: 'yes', SLURM_JOB_ID: '12' },
    });
    const readFile = (name: string) => read(join(`JOB-${jobs}`, name));
    return { status, stdout: readFile('job/stdout'), stderr: readFile('job/stderr'), directory };
  }
  return { run, read, folder };
}

describe.each(['apptainer', 'podman'] as const)(
  'a script that runs its command by %s',
  (runtime) => {
    it('ends as the command does', () => {
      const { run } = makeNode();
      const { status, stdout, directory } = run('echo "$PWD"; exit 3', { runtime });
      expect(status).toBe(3);
      expect(stdout).toBe(`${join(directory, 'job')}\n`);
      expect(existsSync(join(directory, 'tmp'))).toBe(false);
    });

    it('says that the image is missing, and ends with a code of its own', () => {
      const { run, read } = makeNode();
      const image = 'ghcr.io/org/missing:1';
      const { status, stdout, stderr } = run('touch ran', { runtime, image });
      expect(status).toBe(248);
      expect(stdout).toBe('');
      expect(stderr).toContain(`slipway: The image ${image} could not be fetched.\n`);
      expect(stderr).toMatch(/(FATAL|Error): no .*missing:1\n$/);
      expect(read('JOB-1/job/ran')).toBeUndefined();
    });

    it('keeps that code from commands, so that none runs for nothing', () => {
      expect(makeNode().run('exit 248', { runtime }).status).toBe(249);
    });

    it('hands each command on as it is', () => {
      const { run } = makeNode();
      const command = `echo "it's" '$HOME' \`echo c\`; echo "a\nb"; false || -no-option 2>/dev/null || echo "$1"`;
      expect(run(command, { runtime }).stdout).toBe("it's $HOME c\na\nb\n\n");
    });

    it('runs the lines of the system outside, where modules are', () => {
      const { run } = makeNode();
      const setup = ['echo loaded; outside=yes'];
      expect(run('echo "inside $outside"', { runtime }, setup).stdout).toBe('loaded\ninside \n');
    });
  },
);

describe('apptainer', () => {
  it('fetches an image once, and hands variables on', () => {
    const { run, read } = makeNode();
    expect(run('echo "$SLIPWAY_INDEX $SLIPWAY_NAME $SLURM_JOB_ID"').stdout).toBe('7 x 12\n');
    expect(run('true').status).toBe(0);
    const lines = read('apptainer.log')?.split('\n') ?? [];
    expect(lines.filter((line) => line.startsWith('pull '))).toHaveLength(1);
    expect(lines[0]).toMatch(
      /^pull --force --disable-cache \S+\.sif\.part docker:\/\/ghcr\.io\/org\/tool:2$/,
    );
    expect(lines[1]).toMatch(
      /^exec --containall --cleanenv (?:--bind \S+\/JOB-1\/tmp:\/tmp )?--home \S+\/JOB-1\/tmp\/home /,
    );
  });

  it('runs a file that is there, and says if it is not', () => {
    const { run, folder, read } = makeNode();
    const image = join(folder, 'tool.sif');
    expect(run('true', { image })).toMatchObject({
      status: 248,
      stderr: expect.stringContaining(`No file ${image} can be read on this system.`),
    });
    writeFileSync(image, 'image');
    expect(run('true', { image }).status).toBe(0);
    expect(read('apptainer.log')).not.toContain('pull');
  });
});
