import { expect, it } from 'vitest';
import { datasetsFor, describeDataset } from '#client/src/format/systems/describe-dataset.ts';

const letters = { name: 'letters', path: '/data/letters', description: 'Letters.' };

it('says how large a data set is, and on which terms it may be used', () => {
  expect(describeDataset(letters)).toBe('Letters.');
  expect(describeDataset({ ...letters, bytes: 1_500_000_000, licence: 'CC BY 4.0' })).toBe(
    'Letters. Size: 1.5 GB. Licence: CC BY 4.0',
  );
});

it('lists those that a project may use', () => {
  const datasets = [letters, { ...letters, name: 'ours', projects: ['ours'] }];
  const namesFor = (project: string) => datasetsFor({ datasets }, project).map(({ name }) => name);
  expect(namesFor('ours')).toEqual(['letters', 'ours']);
  expect(namesFor('others')).toEqual(['letters']);
  expect(datasetsFor({}, 'ours')).toEqual([]);
});
