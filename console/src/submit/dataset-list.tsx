import { datasetsFor, describeDataset } from '#client/src/format/systems/describe-dataset.ts';
import type { System } from '#client/src/index.ts';
import { phrase } from './words.ts';

interface DatasetListProps {
  readonly system: System;
  readonly project: string;
  readonly onInsert: (path: string) => void;
}

/** Shows the data that is on the system already. */
export function DatasetList({ system, project, onInsert }: DatasetListProps) {
  const usable = datasetsFor(system, project);
  if (usable.length === 0) return null;
  return (
    <details>
      <summary>{phrase('datasets')}</summary>
      <ul>
        {usable.map((each) => (
          <li key={each.name}>
            <strong>{each.name}</strong> <code>{each.path}</code>{' '}
            <button
              type="button"
              class="plain"
              aria-label={phrase('insertPathOf', { name: each.name })}
              onClick={() => onInsert(each.path)}
            >
              {phrase('insertPath')}
            </button>
            <p class="quiet">{describeDataset(each)}</p>
          </li>
        ))}
      </ul>
    </details>
  );
}
