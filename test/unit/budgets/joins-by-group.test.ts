import { expect, it } from 'vitest';
import { joinsByGroup } from '#lib/budgets/joins-by-group.ts';
import { catalog, defaultProject, findSystem } from '#lib/catalog/catalog.ts';

const project = defaultProject(findSystem(catalog, 'hpc_one'));

it.each([
  { group: 'lab-42', groups: ['another', 'lab-42'], joins: true },
  { group: 'lab-42', groups: ['lab-4', 'another'], joins: false },
  { group: 'lab-42', groups: [], joins: false },
  { group: undefined, groups: ['lab-42'], joins: false },
])('a caller in the groups $groups joins a project of $group: $joins', (example) => {
  const { group, groups, joins } = example;
  const members = group === undefined ? undefined : { group };
  expect(joinsByGroup({ project: { ...project, members }, groups })).toBe(joins);
});
