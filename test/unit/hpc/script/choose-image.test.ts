import { describe, expect, it } from 'vitest';
import { chooseImage } from '#lib/hpc/script/choose-image.ts';
import { projectName } from '#test/fixtures/names.ts';

const image = 'ghcr.io/org/tool:2';
const containers = { runtime: 'podman', images: ['ghcr.io/org/*'] } as const;
const project = projectName('ours');

describe('the image of a job', () => {
  it('comes with the data of its project, and with the mounts of the catalog', () => {
    const data = (name: string) => ({
      name,
      path: `/data/${name}`,
      description: 'Data.',
      projects: [projectName(name)],
    });
    const mounts = [{ path: '/scratch', writable: true }];
    const system = {
      containers: { ...containers, mounts },
      datasets: [data('ours'), data('theirs')],
    };
    expect(chooseImage(system, { image, project })).toMatchObject({
      runtime: 'podman',
      image,
      mounts: [{ path: '/data/ours' }, { path: '/scratch', writable: true }],
    });
    expect(chooseImage(system, { project })).toBeUndefined();
  });

  it('sees GPUs only if the job has some, where jobs ask for them', () => {
    const system = { containers: { ...containers, gpus: true } };
    const gpusOf = (gpusPerNode: number | undefined, most?: number) =>
      chooseImage({ ...system, ...(most && { gpusPerNode: most }) }, { image, gpusPerNode })?.gpus;
    expect(gpusOf(undefined)).toBe(true);
    expect(gpusOf(undefined, 4)).toBe(false);
    expect(gpusOf(1, 4)).toBe(true);
    expect(chooseImage({ containers }, { image })?.gpus).toBe(false);
  });

  it('that is allowed no longer refuses the job', () => {
    expect(() => chooseImage({ containers }, { image: 'quay.io/other' })).toThrow(
      'The job cannot run in quay.io/other. This system does not allow the image. Allowed are: ghcr.io/org/*.',
    );
    expect(() => chooseImage({}, { image })).toThrow('This system runs no images.');
  });
});
