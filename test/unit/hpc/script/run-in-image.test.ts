import { describe, expect, it } from 'vitest';
import type { ImageTerms } from '#lib/hpc/script/choose-image.ts';
import { writeImageFetch } from '#lib/hpc/script/fetch-image.ts';
import { writeImageRemoval, writeImageRun } from '#lib/hpc/script/run-in-image.ts';

const digest = `sha256:${'a1'.repeat(32)}`;

const podman: ImageTerms = {
  runtime: 'podman',
  image: 'ghcr.io/org/tool:2',
  gpus: false,
  mounts: [{ path: '/data/genomes' }, { path: '/scratch/shared', writable: true }],
};

/** The line that runs the image, up to what runs in it. */
function lineOf(terms: ImageTerms, place = { network: false }): string {
  const text = writeImageRun(terms, place);
  return text.slice(text.indexOf('\nexec ') + '\nexec '.length, text.indexOf(" -c 'shell=sh"));
}

describe('the line that runs an image', () => {
  const folders = (option: (source: string, target: string) => string) =>
    [option('$PWD', '$PWD'), option('$scratch', '$scratch')].join(' ');
  const mounted = folders(
    (source, target) => `--mount "type=bind,source=${source},target=${target}"`,
  );
  const added =
    '--mount "type=bind,source=/data/genomes,target=/data/genomes,readonly" --mount "type=bind,source=/scratch/shared,target=/scratch/shared"';
  const closed = '--cap-drop=all --security-opt=no-new-privileges --security-opt=label=disable';
  const own = '"$@" --env "HOME=$scratch/home" --env "TMPDIR=$scratch"';

  it('is that of podman', () => {
    expect(lineOf(podman)).toBe(
      `podman --cgroup-manager=cgroupfs run --rm --pull=never --name "$container" --log-driver=none ${closed} --network=none ${own} ${mounted} ${added} --workdir "$PWD" --entrypoint=/bin/sh 'ghcr.io/org/tool:2'`,
    );
    expect(writeImageRun(podman, { network: true })).toContain('--userns=keep-id');
  });

  it('is that of docker', () => {
    expect(lineOf({ ...podman, runtime: 'docker' }, { network: true })).toBe(
      `docker run --rm --pull=never --name "$container" --log-driver=none ${closed} --network=host ${own} ${mounted} ${added} --workdir "$PWD" --entrypoint=/bin/sh 'ghcr.io/org/tool:2'`,
    );
  });

  it('is that of apptainer', () => {
    const terms = { ...podman, runtime: 'apptainer', cache: '/scratch/{account}/images' } as const;
    const file = '"$cache"/ghcr.io_org_tool_2-f293df58009b.sif';
    expect(lineOf(terms, { network: true })).toBe(
      `apptainer exec --containall --cleanenv "$@" --home "$scratch/home" --bind "$PWD" --bind "$scratch" --bind '/data/genomes:/data/genomes:ro' --bind '/scratch/shared:/scratch/shared' --pwd "$PWD" ${file} /bin/sh`,
    );
    expect(writeImageRun(terms, { network: true })).toContain('cache="/scratch/$(id -un)/images"');
    expect(lineOf({ ...terms, image: '/data/tool.sif' })).toContain(
      `--pwd "$PWD" '/data/tool.sif'`,
    );
    expect(lineOf(terms)).toContain('--net --network=none');
  });

  it.each([
    { runtime: 'podman', option: ' --device=nvidia.com/gpu=all' },
    { runtime: 'docker', option: ' --gpus=all' },
    { runtime: 'apptainer', option: ' --nv' },
  ] as const)('shows GPUs to $runtime where the job has them', ({ runtime, option }) => {
    expect(lineOf({ ...podman, runtime })).not.toContain(option);
    expect(lineOf({ ...podman, runtime, gpus: true })).toContain(option);
  });

  it('keeps the processes in the group of their caller if that limits them', () => {
    expect(writeImageRun(podman, { network: false, keepsGroup: true })).toContain(
      ' --cgroups=disabled ',
    );
    expect(writeImageRun(podman, { network: false })).not.toContain('--cgroups');
  });
});

describe('the image', () => {
  it('is looked up again only if it has a tag', () => {
    expect(writeImageFetch(podman)).toContain('-mmin -1440');
    const pinned = { ...podman, image: `ghcr.io/org/tool@${digest}` };
    expect(writeImageFetch(pinned)).toContain('is_fresh() { :; }');
  });

  it('is removed as the container of its job', () => {
    expect(writeImageRemoval(podman)).toContain('rm --force --ignore --time=0 "$container"');
    expect(writeImageRemoval({ ...podman, runtime: 'docker' })).toContain('docker rm --force');
  });
});
