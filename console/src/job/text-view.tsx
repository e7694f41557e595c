import { useEffect, useRef, useState } from 'preact/hooks';

interface TextViewProps {
  readonly text: string;
  readonly name: string;
  /** Whether it may still be written to. */
  readonly grows: boolean;
}

/** A text that is followed as it grows, up to its first error; searched, and wrapped or not. */
export function TextView({ text, name, grows }: TextViewProps) {
  const box = useRef<HTMLPreElement>(null);
  const [follows, setFollows] = useState(true);
  const [wraps, setWraps] = useState(true);
  const [wanted, setWanted] = useState('');
  const [current, setCurrent] = useState(0);
  const stopped = useRef(false);
  const error = findFirstError(text);
  const places = findText(text, wanted).map((at) => ({ at, length: wanted.length }));
  const place = places[current];
  useEffect(() => {
    const { current: shown } = box;
    if (!shown || !grows || !follows) return;
    if (error && !stopped.current) {
      // Whoever goes on following from here is not stopped again.
      stopped.current = true;
      setFollows(false);
      scrollToPlace(shown, error);
    } else shown.scrollTo(0, shown.scrollHeight);
  }, [text, follows, grows]);
  useEffect(() => {
    const { current: shown } = box;
    if (!shown) return;
    highlight('found', shown, places);
    highlight('current', shown, place ? [place] : []);
    return () => highlight('found', shown, []);
  }, [text, wanted, current]);
  const show = (shownPlace: typeof place) => {
    setFollows(false);
    if (box.current && shownPlace) scrollToPlace(box.current, shownPlace);
  };
  const step = (by: 1 | -1) => {
    const next = stepTo(
      places.map(({ at }) => at),
      current,
      by,
    );
    setCurrent(next);
    show(places[next]);
  };
  const search = (typed: string) => {
    setWanted(typed);
    setCurrent(0);
    const [at] = findText(text, typed);
    if (at !== undefined) show({ at, length: typed.length });
  };
  return (
    <div class="text-view">
      <div class="line">
        <code>{name}</code>
        {grows && <Switch label="follow" on={follows} onSwitch={setFollows} />}
        <Switch label="wrap lines" on={wraps} onSwitch={setWraps} />
        {error && (
          <button type="button" class="plain" onClick={() => show(error)}>
            to the first error (line {error.line})
          </button>
        )}
        <form
          class="find line"
          onSubmit={(event) => {
            event.preventDefault();
            step(1);
          }}
        >
          <input
            type="search"
            aria-label={`Search in ${name}`}
            placeholder="Search  ( / )"
            value={wanted}
            onInput={({ currentTarget }) => search(currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key !== 'Enter' || !event.shiftKey) return;
              event.preventDefault();
              step(-1);
            }}
          />
          {wanted !== '' && (
            <>
              <span class="number" role="status">
                {places.length === 0 ? 'not there' : `${current + 1} of ${places.length}`}
              </span>
              <button type="button" class="plain" onClick={() => step(-1)}>
                previous
              </button>
              <button type="submit" class="plain">
                next
              </button>
            </>
          )}
        </form>
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keys. */}
      <pre ref={box} tabIndex={0} class={wraps ? 'wraps' : undefined} data-testid="text">
        {text === '' ? 'It is empty so far.' : text}
      </pre>
    </div>
  );
}

function Switch({
  label,
  on,
  onSwitch,
}: {
  readonly label: string;
  readonly on: boolean;
  readonly onSwitch: (on: boolean) => void;
}) {
  return (
    <label class="inline">
      <input
        type="checkbox"
        checked={on}
        onChange={({ currentTarget }) => onSwitch(currentTarget.checked)}
      />
      {label}
    </label>
  );
}

interface FirstError {
  /** Counted from 1, as people count lines. */
  readonly line: number;
  /** Where the line begins in the text, and how long it is. */
  readonly at: number;
  readonly length: number;
}

/** The line where somebody who looks for what went wrong begins to read. */
export function findFirstError(text: string): FirstError | undefined {
  let at = 0;
  for (const [index, line] of text.split('\n').entries()) {
    if (/\b(error|exception|traceback|fatal|killed|segmentation fault)\b/i.test(line)) {
      return { line: index + 1, at, length: line.length };
    }
    at += line.length + 1;
  }
  return undefined;
}

const most = 1000;

/** Where a text stands in another, whatever its capitals; the first thousand places. */
export function findText(text: string, wanted: string): readonly number[] {
  if (wanted === '') return [];
  const inside = text.toLowerCase();
  const searched = wanted.toLowerCase();
  // Letters that are longer in lower case would move all places after them.
  const [within, looked] = inside.length === text.length ? [inside, searched] : [text, wanted];
  const places: number[] = [];
  for (
    let at = within.indexOf(looked);
    at >= 0 && places.length < most;
    at = within.indexOf(looked, at + looked.length)
  ) {
    places.push(at);
  }
  return places;
}

/** The place after or before this one; after the last comes the first. */
export function stepTo(places: readonly number[], at: number, by: 1 | -1): number {
  return (at + by + places.length) % Math.max(1, places.length);
}

interface Place {
  readonly at: number;
  readonly length: number;
}

/** Of the text in a box, as the style names it. It changes nothing of the page itself. */
function highlight(name: 'found' | 'current', box: HTMLElement, places: readonly Place[]): void {
  const ranges = places.flatMap((place) => rangeOf(box, place) ?? []);
  if (ranges.length === 0) CSS.highlights?.delete(name);
  else CSS.highlights?.set(name, new Highlight(...ranges));
}

/** Scrolls the box, and only the box, so that a place stands in its upper third. */
function scrollToPlace(box: HTMLElement, place: Place): void {
  const range = rangeOf(box, place);
  if (!range) return;
  const above = range.getBoundingClientRect().top - box.getBoundingClientRect().top;
  box.scrollTo(0, box.scrollTop + above - box.clientHeight / 3);
}

function rangeOf({ firstChild: text }: HTMLElement, { at, length }: Place): Range | undefined {
  if (!(text instanceof Text) || at + length > text.length) return undefined;
  const range = document.createRange();
  range.setStart(text, at);
  range.setEnd(text, at + length);
  return range;
}
