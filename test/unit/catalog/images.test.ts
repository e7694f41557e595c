import { describe, expect, it } from 'vitest';
import { findDefinition, judgeImage, listImages, matchesPattern } from '#lib/catalog/images.ts';

const digest = `sha256:${'a1'.repeat(32)}`;

describe('a pattern of images', () => {
  it.each([
    ['docker.io/library/*', 'docker.io/library/python:3.13'],
    ['docker.io/library/*', `docker.io/library/python@${digest}`],
    ['ghcr.io/**', 'ghcr.io/org/team/tool:1'],
    ['ghcr.io/*/tool:*', 'ghcr.io/org/tool:1.2'],
    ['ghcr.io/org/tool:1.2', 'ghcr.io/org/tool:1.2'],
  ])('%s matches %s', (pattern, image) => {
    expect(matchesPattern(pattern, image)).toBe(true);
  });

  it.each([
    ['docker.io/library/*', 'docker.io/library/other/python'],
    ['docker.io/library/*', 'evil.example/docker.io/library/python'],
    ['docker.io/library/python', 'docker.io/library/python:3.13'],
    ['ghcr.io/org/tool:1.2', 'ghcr.io/org/tool:112'],
    ['ghcr.io/*/tool', 'ghcr.io/one/two/tool'],
    ['ghcr.io/**', 'ghcr.io'],
  ])('%s does not match %s', (pattern, image) => {
    expect(matchesPattern(pattern, image)).toBe(false);
  });
});

describe('an image', () => {
  const everything = { containers: { runtime: 'podman', images: ['**'] } } as const;
  const files = { containers: { runtime: 'apptainer', images: ['/data/images/*.sif'] } } as const;

  it.each([
    'docker.io/library/python',
    'docker.io/library/python:3.13-Slim_1',
    `ghcr.io/org/tool@${digest}`,
    `ghcr.io/org/tool:1@${digest}`,
    'localhost/tiny:1',
    'registry.example.org:5000/a__b/c-d.e',
    'registry:5000/tool',
  ])('%s is taken', (image) => {
    expect(judgeImage(everything, image)).toBeUndefined();
  });

  it.each([
    '',
    ' ',
    'python',
    'library/python:3.13',
    'docker.io',
    'docker.io/',
    'docker.io//python',
    'docker.io/../python',
    'docker.io/library/..',
    'docker.io/Library/python',
    'Docker.io/library/python',
    'docker.io/library/py thon',
    'docker.io/library/python ',
    'docker.io/library/python\n',
    '-v/etc:/etc',
    '--privileged',
    'docker.io/-python',
    'docker.io/library/python:',
    'docker.io/library/python:-1',
    'docker.io/library/python:1:2',
    'docker.io/library/python@sha256:abc',
    `docker.io/library/python@${digest}@${digest}`,
    'docker.io/library/python;id',
    'docker.io/library/$(id)',
    'docker.io/library/`id`',
    "docker.io/library/'python'",
    'docker.io/library/py*',
    'docker://docker.io/library/python',
    '/data/images/tool.sif',
    `docker.io/${'a'.repeat(600)}`,
  ])('%j is refused, whatever the patterns are', (image) => {
    expect(judgeImage(everything, image)).toMatch(/^It must be an image with its registry/);
  });

  it('can be a file where apptainer runs it', () => {
    expect(judgeImage(files, '/data/images/tool-1.sif')).toBeUndefined();
    expect(judgeImage(files, '/data/images/../secret.sif')).toMatch(/^It must be/);
    expect(judgeImage(files, '/data/images/a b.sif')).toMatch(/^It must be/);
    expect(judgeImage(files, '/etc/passwd')).toBe(
      'This system does not allow the image. Allowed are: /data/images/*.sif.',
    );
  });

  it('stands for a job definition on AWS Batch, the first that matches', () => {
    const images = { 'ghcr.io/org/tool:1': 'tool-1', 'ghcr.io/org/*': 'tool-2' };
    const system = { containers: { runtime: 'batch', images } } as const;
    expect(listImages(system)).toEqual(['ghcr.io/org/tool:1', 'ghcr.io/org/*']);
    expect(findDefinition(system, 'ghcr.io/org/tool:1')).toBe('tool-1');
    expect(findDefinition(system, 'ghcr.io/org/tool:3')).toBe('tool-2');
    expect(findDefinition(system, 'ghcr.io/other/tool')).toBeUndefined();
    expect(listImages({})).toEqual([]);
  });
});
