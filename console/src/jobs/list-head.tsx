import { columns, heads, type Sorting, turnSorting, writeSorting } from './sort-jobs.ts';
import { phrase } from './words.ts';

interface ListHeadProps {
  readonly sorting: Sorting;
  readonly addressWith: (sort: string) => string;
  /** Whether all jobs of the filter are selected. Undefined if nothing can be selected. */
  readonly all?: { readonly marked: boolean; readonly onMark: (marked: boolean) => void };
}

/** Shows the headings. Each sorts the list, and is a link, so that an order can be shared. */
export function ListHead({ sorting, addressWith, all }: ListHeadProps) {
  return (
    <div class="list-head">
      {all && (
        <label class="mark">
          <input
            type="checkbox"
            aria-label={phrase('selectAll')}
            checked={all.marked}
            onClick={() => all.onMark(!all.marked)}
          />
        </label>
      )}
      <nav class="job-row" aria-label={phrase('sortBy')}>
        {columns.map((column) => {
          const isCurrent = sorting.by === column;
          return (
            <a
              key={column}
              class={column}
              href={addressWith(writeSorting(turnSorting(sorting, column)))}
              aria-current={isCurrent ? 'true' : undefined}
            >
              {heads[column]()}
              {isCurrent && (
                <>
                  <span aria-hidden="true"> {sorting.descending ? '↓' : '↑'}</span>
                  <span class="said">
                    , {sorting.descending ? phrase('descending') : phrase('ascending')}
                  </span>
                </>
              )}
            </a>
          );
        })}
      </nav>
    </div>
  );
}
