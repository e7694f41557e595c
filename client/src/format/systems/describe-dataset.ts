import type { System } from '../../generated/operations.ts';
import { phrase } from '../../words/formats.ts';
import { writeSize } from '../amounts/amounts.ts';

type Dataset = NonNullable<System['datasets']>[number];

/** Lists the data sets of a system that a project may use. */
export function datasetsFor(
  { datasets = [] }: Pick<System, 'datasets'>,
  project: string,
): readonly Dataset[] {
  return datasets.filter(({ projects }) => projects?.includes(project) ?? true);
}

/** Says what a data set is, how large, and on which terms it may be used. */
export function describeDataset({ description, bytes, licence }: Dataset): string {
  return [
    description,
    ...(bytes === undefined ? [] : [phrase('dataset.size', { size: writeSize(bytes) })]),
    ...(licence === undefined ? [] : [phrase('dataset.licence', { licence })]),
  ].join(' ');
}
