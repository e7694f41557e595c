import { signal } from '@preact/signals';
import { isRecord, readStored, store } from '../browser/stored.ts';
import { Switch } from '../parts/form.tsx';
import { heads, optionalColumns } from './sort-jobs.ts';
import { phrase } from './words.ts';

/** How somebody likes their lists. It is kept in this browser. */
export interface ListView {
  readonly compact: boolean;
  readonly hidden: readonly string[];
}

const key = 'slipway-list-view';

export function parseView(stored: unknown): ListView {
  const { compact, hidden } = isRecord(stored) ? stored : {};
  const names: readonly unknown[] = Array.isArray(hidden) ? hidden : [];
  return {
    compact: compact === true,
    hidden: optionalColumns.filter((column) => names.includes(column)),
  };
}

/** Undefined until it is read, so that this module loads without a browser around it. */
const chosen = signal<ListView | undefined>(undefined);

export function useListView(): ListView {
  return chosen.value ?? parseView(readStored('browser', key));
}

function choose(view: ListView): void {
  chosen.value = view;
  store('browser', key, view);
}

/** Returns the classes that hide columns and make rows lower. */
export function classOf({ compact, hidden }: ListView): string {
  return ['list', compact && 'compact', ...hidden.map((column) => `no-${column}`)]
    .filter(Boolean)
    .join(' ');
}

/** Chooses the columns and the density. */
export function ViewMenu() {
  const view = useListView();
  return (
    <details class="menu end">
      <summary>{phrase('view')}</summary>
      <fieldset class="panel">
        <legend class="said">{phrase('columnsAndDensity')}</legend>
        {optionalColumns.map((column) => (
          <Switch
            key={column}
            on={!view.hidden.includes(column)}
            onSwitch={(on) =>
              choose({
                ...view,
                hidden: on
                  ? view.hidden.filter((each) => each !== column)
                  : [...view.hidden, column],
              })
            }
          >
            {heads[column]()}
          </Switch>
        ))}
        <Switch on={view.compact} onSwitch={(compact) => choose({ ...view, compact })}>
          {phrase('compactRows')}
        </Switch>
      </fieldset>
    </details>
  );
}
