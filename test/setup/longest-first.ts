import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Projects whose files take long, the longest first: at the end all workers should be done. */
const first = ['contract', 'service', 'connectors', 'integration', 'model'];

const placeOf = ({ project }: TestSpecification): number => {
  const place = first.indexOf(project.name);
  return place === -1 ? first.length : place;
};

/** In place of the order of their names. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.sort((a, b) => placeOf(a) - placeOf(b));
  }
}
