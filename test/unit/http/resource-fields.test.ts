import { describe, expect, it } from 'vitest';
import { defaultProject, findSystem } from '#lib/catalog/catalog.ts';
import type { HpcSystem } from '#lib/catalog/hpc-system.ts';
import { catalog } from '#test/fixtures/catalog.ts';
import { projectName } from '#test/fixtures/names.ts';
import { parseHeader, refused } from '#test/fixtures/payloads.ts';
import { resourceful } from '#test/fixtures/resourceful-system.ts';

const urgent = { ...defaultProject(resourceful), name: projectName('proj_hpc_one_02') };

function parse(fields: Readonly<Record<string, unknown>>, project = defaultProject(resourceful)) {
  const base = { command: 'true', node_number: 1, core_number: 8, runtime: 1 };
  return parseHeader(resourceful, JSON.stringify({ ...base, ...fields }), project);
}

describe('memory', () => {
  it.each([
    { memory: '16 GB', megabytes: 16_000 },
    { memory: '16GB', megabytes: 16_000 },
    { memory: ' 1.5 gb ', megabytes: 1500 },
    { memory: '500 MB', megabytes: 500 },
    { memory: '0.0005 GB', megabytes: 1 },
    { memory: '1.1 GB', megabytes: 1100 },
    { memory: '0.1 TB', megabytes: 100_000 },
  ])('of $memory is $megabytes megabytes', ({ memory, megabytes }) => {
    expect(parse({ memory }).payload?.memoryMegabytes).toBe(megabytes);
  });

  it.each(['16', 16, '', 'GB', '0 GB', '-1 GB', '257 GB', '1e3 MB', '16 GiB', '1 KB', null])(
    'of %j is refused',
    (memory) => {
      const message =
        'It must be an amount of memory on each node, up to 256 GB, for example "500 MB" or "16 GB".';
      expect(parse({ memory })).toEqual(refused('memory', message));
    },
  );

  it('that nobody asked for is the share of the cores in the class', () => {
    expect(parse({}).payload?.memoryMegabytes).toBe(32_000);
    expect(parse({ class: 'gpu' }).payload?.memoryMegabytes).toBe(64_000);
  });
});

describe('a class', () => {
  it('is the first that the project may use, if none is named', () => {
    expect(parse({}).payload?.className).toBe('normal');
    expect(parse({ class: 'urgent' }, urgent).payload?.className).toBe('urgent');
  });

  it('of other projects is not there', () => {
    expect(parse({ class: 'urgent' })).toEqual(refused('class', 'It must be one of: normal, gpu.'));
    expect(parse({ class: 'fast' }, urgent)).toEqual(
      refused('class', 'It must be one of: normal, gpu, urgent.'),
    );
  });

  it.each([
    { fields: { gpu_number: 1 }, name: 'gpu_number', most: '0', class: 'normal', other: 'gpu' },
    { fields: { memory: '129 GB' }, name: 'memory', most: '128 GB', class: 'normal', other: 'gpu' },
    {
      fields: { class: 'gpu', node_number: 3 },
      name: 'node_number',
      most: '2',
      class: 'gpu',
      other: 'normal',
    },
  ])('has limits of its own: $name', ({ fields, name, most, class: chosen, other }) => {
    const message = `The class ${chosen} offers at most ${most}. Ask for less, or choose another class: ${other}.`;
    expect(parse(fields)).toEqual(refused(name, message));
  });
});

describe('GPUs', () => {
  it('are taken with a kind, or without', () => {
    expect(parse({ class: 'gpu', gpu_number: '2', gpu_kind: 'v100' }).payload).toMatchObject({
      gpusPerNode: 2,
      gpuKind: 'v100',
      className: 'gpu',
    });
    expect(parse({ class: 'gpu', gpu_number: 4 }).payload).not.toHaveProperty('gpuKind');
  });

  it('are refused if they are more than there are, or of another kind', () => {
    expect(parse({ class: 'gpu', gpu_number: 5 })).toEqual(
      refused('gpu_number', 'It must be a whole number from 1 to 4.'),
    );
    expect(parse({ class: 'gpu', gpu_number: 1, gpu_kind: 'h100' })).toEqual(
      refused('gpu_kind', 'It must be one of: a100, v100.'),
    );
    expect(parse({ gpu_kind: 'a100' })).toEqual(
      refused('gpu_kind', 'It needs gpu_number, which says how many.'),
    );
  });
});

describe('tasks', () => {
  const slurm = {
    kind: 'slurm',
    baseUrl: 'https://slurm.test',
    partition: 'batch',
    workDirectory: '/scratch',
  } as const;
  const classes = [{ name: 'normal' }, { name: 'mpi', coresAs: 'choice' }] as const;
  const system: HpcSystem = { ...resourceful, connector: slurm, classes };
  const parseTasks = (fields: object, given = system) =>
    parseHeader(
      given,
      JSON.stringify({ command: 'true', node_number: 1, core_number: 8, runtime: 1, ...fields }),
    );

  it.each([1, 2, 4, '8'])('of 8 cores may be %j', (task_number) => {
    const { payload } = parseTasks({ class: 'mpi', task_number });
    expect(payload).toMatchObject({ coresPerNode: 8, tasksPerNode: Number(task_number) });
  });

  it('may be called so', () => {
    expect(parseTasks({ class: 'mpi', tasks: 4 }).payload?.tasksPerNode).toBe(4);
  });

  it.each([3, 16])('of 8 cores cannot be %i', (task_number) => {
    expect(parseTasks({ class: 'mpi', task_number })).toEqual(
      refused(
        'task_number',
        `It must divide core_number, so that each task has the same number of cores. 8 cores cannot be divided among ${task_number} tasks.`,
      ),
    );
  });

  it('are refused by name in a class and on a system that do not offer them', () => {
    expect(parseTasks({ task_number: 2 })).toEqual(
      refused(
        'task_number',
        'The class normal does not let jobs choose their tasks. Leave it out, or choose another class: mpi.',
      ),
    );
    const { classes: _, ...plain } = system;
    expect(parseTasks({ task_number: 2 }, plain).problems).toMatchObject([{ name: 'task_number' }]);
    const choosing: HpcSystem = { ...plain, connector: { ...slurm, coresAs: 'choice' } };
    expect(parseTasks({ task_number: 2 }, choosing).payload).toMatchObject({ tasksPerNode: 2 });
  });
});

describe('an image', () => {
  const containers = {
    runtime: 'podman',
    images: ['docker.io/library/*', 'ghcr.io/org/**'],
  } as const;
  const parseImage = (image: unknown) => {
    const fields = { command: 'true', node_number: 1, core_number: 8, runtime: 1, image };
    return parseHeader({ ...resourceful, containers }, JSON.stringify(fields));
  };

  it('is kept as it was named', () => {
    const image = 'docker.io/library/python:3.13';
    expect(parseImage(` ${image} `).payload).toMatchObject({ image });
    expect(parseImage(undefined).payload).not.toHaveProperty('image');
  });

  it('that no pattern allows is refused with those that are allowed', () => {
    expect(parseImage('quay.io/other/tool')).toEqual(
      refused(
        'image',
        'This system does not allow the image. Allowed are: docker.io/library/*, ghcr.io/org/**.',
      ),
    );
  });

  it.each(['', 'python', 'docker.io/library/$(id)', '-it'])('%j is refused in words', (image) => {
    expect(parseImage(image).problems).toMatchObject([
      { name: 'image', message: expect.stringContaining('It must be an image with its registry') },
    ]);
  });

  it.each([null, 5, ['a']])('%j is refused, because it is no text', (image) => {
    expect(parseImage(image)).toEqual(refused('image', 'It must be text.'));
  });
});

it.each(['memory', 'gpu_number', 'gpu_kind', 'class', 'task_number', 'image'])(
  '%s is refused by name on a system that does not offer it',
  (name) => {
    const fields = { command: 'true', node_number: 1, core_number: 8, runtime: 1, [name]: '1 GB' };
    const { problems } = parseHeader(findSystem(catalog, 'hpc_one'), JSON.stringify(fields));
    expect(problems).toMatchObject([{ location: 'payload', name }]);
  },
);
