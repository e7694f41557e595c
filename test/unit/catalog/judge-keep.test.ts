import { describe, expect, it } from 'vitest';
import { parseCatalog } from '#lib/catalog/file/read-catalog.ts';
import { keptFolderOf } from '#lib/catalog/project-folders.ts';
import { editCatalog } from '#test/fixtures/broken-catalogs.ts';
import { projectName } from '#test/fixtures/names.ts';

const judge = (keep: object, more = '') => {
  const edit = `"keep": ${JSON.stringify(keep)}, ${more}"charging": "node"`;
  try {
    parseCatalog(editCatalog(['"charging": "node"', edit]), 'centre.json');
    return '';
  } catch (error) {
    return String(error);
  }
};

describe('folders of projects in a catalog', () => {
  it('are accepted where each project has one of its own', () => {
    expect(judge({ maxKilobytes: 5, path: '/data/{project}' })).toBe('');
    expect(judge({ maxKilobytes: 5, path: '/data/ours', projects: ['ours'] })).toBe('');
  });

  it('are refused where several projects would share one', () => {
    expect(judge({ maxKilobytes: 5, path: '/data/ours' })).toContain(
      'it must have {project} in it',
    );
  });

  it('are refused where an image could not show them', () => {
    const containers = '"containers": { "runtime": "podman", "images": ["ghcr.io/**"] }, ';
    expect(judge({ maxKilobytes: 5, path: '/data/a:{project}' }, containers)).toContain(
      'it must have no colons or commas',
    );
  });

  it('are of the projects that are named, each with its path', () => {
    const keep = { maxKilobytes: 5, path: '/data/{project}', projects: ['ours'] };
    expect(keptFolderOf({ keep }, projectName('ours'))).toEqual({
      maxBytes: 5000,
      path: '/data/ours',
    });
    expect(keptFolderOf({ keep }, projectName('theirs'))).toBeUndefined();
  });
});
