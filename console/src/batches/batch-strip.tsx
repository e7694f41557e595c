import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { term } from '#client/src/words/terms.ts';
import { type BatchState, batchStates } from '../parts/share-bar.tsx';
import { phrase } from './words.ts';

interface BatchStripProps {
  readonly cells: readonly BatchState[];
  /** Says in words what the strip shows. */
  readonly label: string;
  /** Names the job at a place. */
  readonly nameOf: (place: number) => string;
  readonly onChoose: (place: number) => void;
}

/**
 * Draws a cell for each job. All cells of a state are one path, so ten thousand of them are five
 * elements, and the style sheet colours them in both themes.
 */
export function BatchStrip({ cells, label, nameOf, onChoose }: BatchStripProps) {
  const strip = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(0);
  const [pointed, setPointed] = useState<number>();
  useEffect(() => {
    const measure = () => setWidth(strip.current?.clientWidth ?? 0);
    measure();
    addEventListener('resize', measure);
    return () => removeEventListener('resize', measure);
  }, []);
  const { columns, size } = fitCells(cells.length, width);
  const rows = Math.ceil(cells.length / columns);
  const paths = useMemo(() => drawCells(cells, columns), [cells, columns]);
  const placeAt = (event: MouseEvent): number | undefined => {
    const box = strip.current?.getBoundingClientRect();
    if (!box) return undefined;
    const column = Math.floor((event.clientX - box.left) / size);
    const place = Math.floor((event.clientY - box.top) / size) * columns + column;
    return column < columns && place >= 0 && place < cells.length ? place : undefined;
  };
  const hint =
    pointed === undefined
      ? phrase('chooseCell')
      : phrase('cell', { job: nameOf(pointed), state: term(cells[pointed] ?? '') });
  return (
    <>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the field below does the same by keyboard. */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: the field below does the same by keyboard. */}
      <div
        ref={strip}
        class="strip"
        onPointerMove={(event) => setPointed(placeAt(event))}
        onPointerLeave={() => setPointed(undefined)}
        onClick={(event) => {
          const place = placeAt(event);
          if (place !== undefined) onChoose(place);
        }}
      >
        {width > 0 && (
          <svg
            role="img"
            aria-label={label}
            width={columns * size}
            height={rows * size}
            viewBox={`0 0 ${columns} ${rows}`}
          >
            {batchStates.map((state) => (
              <path key={state} class={`cell of-${state}`} d={paths[state]} />
            ))}
          </svg>
        )}
      </div>
      <p class="quiet" aria-hidden="true">
        {hint}
      </p>
    </>
  );
}

const tallest = 200;
const largest = 18;
const smallest = 3;

/** Returns how many cells of which size in pixels a row has, so that the strip stays low. */
export function fitCells(count: number, width: number): { columns: number; size: number } {
  const wanted = Math.floor(Math.sqrt((width * tallest) / Math.max(1, count)));
  const size = Math.max(smallest, Math.min(largest, wanted));
  return { columns: Math.max(1, Math.floor(width / size)), size };
}

/** Left, top, width and height in a cell of 1 by 1. The shapes differ, for eyes that see no colours. */
const shapes = {
  failed: [0, 0, 1, 1],
  done: [0.1, 0.1, 0.8, 0.8],
  running: [0.1, 0.3, 0.8, 0.6],
  waiting: [0.35, 0.35, 0.3, 0.3],
  cancelled: [0.1, 0.4, 0.8, 0.2],
} as const satisfies Record<BatchState, readonly number[]>;

/** Draws the cells of each state as one path. */
export function drawCells(
  cells: readonly BatchState[],
  columns: number,
): Readonly<Record<BatchState, string>> {
  const paths = { failed: '', done: '', cancelled: '', running: '', waiting: '' };
  cells.forEach((state, place) => {
    const [left, top, width, height] = shapes[state];
    const x = (place % columns) + left;
    const y = Math.floor(place / columns) + top;
    paths[state] += `M${round(x)} ${round(y)}h${width}v${height}h-${width}z`;
  });
  return paths;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
