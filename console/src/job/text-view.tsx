import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { Button, Form, PlainButton, Switch } from '../parts/form.tsx';
import { ansiColours, type Coloured, readAnsi } from './read-ansi.ts';
import { phrase } from './words.ts';

interface TextViewProps {
  readonly text: string;
  readonly name: string;
  /** Whether the text may still grow. */
  readonly grows: boolean;
}

/**
 * Shows a text with search, a long one by pages. While it grows, the view follows it up to the first
 * error.
 */
export function TextView({ text: written, name, grows }: TextViewProps) {
  const box = useRef<HTMLPreElement>(null);
  const gutter = useRef<HTMLPreElement>(null);
  const [follows, setFollows] = useState(true);
  const [wraps, setWraps] = useState(() => matchMedia('(max-width: 36rem)').matches);
  const { plain: text, coloured } = useMemo(() => readAnsi(written), [written]);
  const [wanted, setWanted] = useState('');
  const [current, setCurrent] = useState(0);
  const stopped = useRef(false);
  const [chosen, setChosen] = useState(0);
  const [target, setTarget] = useState<Place>();
  const pages = useMemo(() => splitPages(text), [text]);
  const error = useMemo(() => findFirstError(text), [text]);
  const places = useMemo(
    () => findText(text, wanted).map((at) => ({ at, length: wanted.length })),
    [text, wanted],
  );
  const place = places[current];
  const last = pages.length - 1;
  const page = grows && follows ? last : Math.min(chosen, last);
  const start = pages[page] ?? 0;
  const shownText = text.slice(start, pages[page + 1]);
  const numbers = useMemo(
    () => (wraps ? '' : numberLines(shownText, countLines(text, start))),
    [wraps, shownText, start],
  );
  const onPage = ({ at, length }: Place) => ({ at: at - start, length });
  useEffect(() => {
    const { current: shown } = box;
    if (!shown || !grows || !follows) return;
    if (error && !stopped.current) {
      // Stops only once, so that the user can follow on from here.
      stopped.current = true;
      show(error);
    } else shown.scrollTo(0, shown.scrollHeight);
  }, [text, follows, grows]);
  useEffect(() => {
    const { current: shown } = box;
    if (!shown) return;
    highlight('found', shown, places.map(onPage));
    highlight('current', shown, place ? [onPage(place)] : []);
    return () => highlight('found', shown, []);
  }, [shownText, wanted, current]);
  useEffect(() => {
    const { current: shown } = box;
    if (!shown || coloured.length === 0) return;
    const show = (parts: readonly Coloured[]) => {
      for (const colour of ansiColours) {
        const own = parts.filter((part) => part.colour === colour);
        highlight(`ansi-${colour}`, shown, own.map(onPage));
      }
    };
    show(coloured);
    return () => show([]);
  }, [shownText, coloured]);
  useLayoutEffect(() => {
    if (box.current && target) scrollToPlace(box.current, onPage(target));
  }, [target]);
  const turnTo = (wantedPage: number) => {
    setFollows(false);
    setChosen(wantedPage);
    box.current?.scrollTo(0, 0);
  };
  const goToEnd = () => {
    turnTo(last);
    requestAnimationFrame(() => box.current?.scrollTo(0, box.current.scrollHeight));
  };
  const show = (shownPlace: Place | undefined) => {
    setFollows(false);
    if (!shownPlace) return;
    setChosen(pageAt(pages, shownPlace.at));
    // A copy, so that the same place is scrolled to again.
    setTarget({ ...shownPlace });
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
        {grows && (
          <Switch
            on={follows}
            onSwitch={(on) => {
              setChosen(page);
              setFollows(on);
            }}
          >
            {phrase('follow')}
          </Switch>
        )}
        <Switch on={wraps} onSwitch={setWraps}>
          {phrase('wrap')}
        </Switch>
        {text !== '' && <PlainButton onClick={goToEnd}>{phrase('toEnd')}</PlainButton>}
        {last > 0 && <Pager page={page} last={last} onTurn={turnTo} />}
        {error && (
          <PlainButton onClick={() => show(error)}>
            {phrase('toError', { line: error.line })}
          </PlainButton>
        )}
        <Form class="find line" onSubmit={() => step(1)}>
          <input
            type="search"
            aria-label={phrase('searchIn', { name })}
            placeholder={phrase('search')}
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
                {places.length === 0
                  ? phrase('noMatches')
                  : phrase('match', { at: current + 1, all: places.length })}
              </span>
              <PlainButton onClick={() => step(-1)}>{phrase('previousMatch')}</PlainButton>
              <button type="submit" class="plain">
                {phrase('nextMatch')}
              </button>
            </>
          )}
        </Form>
      </div>
      <section class="numbered" aria-label={phrase('textOf', { name })}>
        {!wraps && text !== '' && (
          <pre ref={gutter} class="gutter" aria-hidden="true">
            {numbers}
          </pre>
        )}
        <pre
          ref={box}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: scrolling areas must be reachable by keyboard.
          tabIndex={0}
          class={wraps ? 'wraps' : undefined}
          data-testid="text"
          onScroll={({ currentTarget }) => gutter.current?.scrollTo(0, currentTarget.scrollTop)}
        >
          {shownText || (grows ? phrase('noOutput') : phrase('emptyFile'))}
        </pre>
      </section>
    </div>
  );
}

interface PagerProps {
  readonly page: number;
  readonly last: number;
  readonly onTurn: (page: number) => void;
}

function Pager({ page, last, onTurn }: PagerProps) {
  const turns = [
    { sign: '«', name: phrase('firstPage'), to: 0 },
    { sign: '‹', name: phrase('previousPage'), to: page - 1 },
    { sign: '›', name: phrase('nextPage'), to: page + 1 },
    { sign: '»', name: phrase('lastPage'), to: last },
  ].map(({ sign, name, to }) => (
    <Button
      key={name}
      class="plain"
      aria-label={name}
      title={name}
      disabled={to === page || to < 0 || to > last}
      onClick={() => onTurn(to)}
    >
      {sign}
    </Button>
  ));
  return (
    <span class="pager">
      {turns.slice(0, 2)}
      <span class="number">{phrase('page', { page: page + 1, pages: last + 1 })}</span>
      {turns.slice(2)}
    </span>
  );
}

/** More letters at once would make the page slow. */
const pageLength = 500_000;

/** Returns where the pages of a text begin. Pages end with a line, unless the line is longer. */
export function splitPages(text: string, length = pageLength): readonly number[] {
  const starts = [0];
  for (let start = 0; start + length < text.length; ) {
    const lineEnd = text.lastIndexOf('\n', start + length - 1) + 1;
    start = lineEnd > start ? lineEnd : start + length;
    starts.push(start);
  }
  return starts;
}

/** Returns the page that a place of the text is on. */
export function pageAt(starts: readonly number[], at: number): number {
  return starts.findLastIndex((start) => start <= at);
}

interface FirstError {
  /** Counted from 1. */
  readonly line: number;
  /** The start and length of the line in the text. */
  readonly at: number;
  readonly length: number;
}

const errorForm = /\b(error|exception|traceback|fatal|killed|segmentation fault)\b/i;

/** Finds the first line that looks like an error. */
export function findFirstError(text: string): FirstError | undefined {
  const found = errorForm.exec(text);
  if (!found) return undefined;
  const at = text.lastIndexOf('\n', found.index) + 1;
  const end = text.indexOf('\n', at);
  const length = (end === -1 ? text.length : end) - at;
  return { line: countLines(text, at) + 1, at, length };
}

/** Counts the ends of lines before a place. */
function countLines(text: string, until: number): number {
  let count = 0;
  for (let at = 0; at < until; at += 1) {
    if (text.charCodeAt(at) === lineFeed) count += 1;
  }
  return count;
}

const lineFeed = 10;

/** Writes the number of each line, one on each line, after so many lines before. */
export function numberLines(text: string, before: number): string {
  const lines = countLines(text, text.length) + (text.endsWith('\n') ? 0 : 1);
  return Array.from({ length: lines }, (_, index) => before + index + 1).join('\n');
}

const most = 1000;

/** Finds the first thousand places of a text in another, ignoring case. */
export function findText(text: string, wanted: string): readonly number[] {
  if (wanted === '') return [];
  const inside = text.toLowerCase();
  const searched = wanted.toLowerCase();
  // Some letters are longer in lower case, which would shift all places after them.
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

/** Returns the next or previous place, and goes round at the ends. */
export function stepTo(places: readonly number[], at: number, by: 1 | -1): number {
  return (at + by + places.length) % Math.max(1, places.length);
}

interface Place {
  readonly at: number;
  readonly length: number;
}

/** Highlights places in a box with the browser's own highlights, which leave the page unchanged. */
function highlight(name: string, box: HTMLElement, places: readonly Place[]): void {
  const ranges = places.flatMap((place) => rangeOf(box, place) ?? []);
  if (ranges.length === 0) CSS.highlights?.delete(name);
  else CSS.highlights?.set(name, new Highlight(...ranges));
}

/** Scrolls only the box, so that the place is in its upper third. */
function scrollToPlace(box: HTMLElement, place: Place): void {
  const range = rangeOf(box, place);
  if (!range) return;
  const above = range.getBoundingClientRect().top - box.getBoundingClientRect().top;
  box.scrollTo(0, box.scrollTop + above - box.clientHeight / 3);
}

function rangeOf({ firstChild: text }: HTMLElement, { at, length }: Place): Range | undefined {
  if (!(text instanceof Text) || at < 0 || at + length > text.length) return undefined;
  const range = document.createRange();
  range.setStart(text, at);
  range.setEnd(text, at + length);
  return range;
}
