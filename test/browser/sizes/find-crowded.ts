import type { Page } from 'playwright-core';

/**
 * Lists what looks lost or crowded on the page that is shown: what is wider than the window, text that
 * is cut off and shown nowhere, texts that lie on each other, and more elements than one scrolls
 * through smoothly.
 */
export async function findCrowded(page: Page): Promise<string[]> {
  await page.evaluate(markTexts);
  const found = [];
  for (const find of [findTooMuch, findBeyond, findCut, findCovered]) {
    found.push(...(await page.evaluate(find)));
  }
  return [...new Set(found)];
}

/** Marks the elements with text of their own that can be seen. Texts for screen readers alone are a pixel large. */
function markTexts(): void {
  const isSeen = (element: Element) => {
    const { width, height } = element.getBoundingClientRect();
    const checked = { visibilityProperty: true, opacityProperty: true };
    const isLarge = width > 1 && height > 1;
    return (
      isLarge && element.checkVisibility(checked) && getComputedStyle(element).clipPath === 'none'
    );
  };
  for (const element of document.querySelectorAll('body *')) {
    const words = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE);
    const hasText = words.some((node) => node.textContent?.trim());
    element.toggleAttribute('data-text', hasText && isSeen(element));
  }
}

function findTooMuch(): string[] {
  const { scrollWidth } = document.documentElement;
  const elements = document.querySelectorAll('body *').length;
  return [
    ...(scrollWidth > innerWidth ? [`${scrollWidth} of ${innerWidth} pixels wide`] : []),
    ...(elements > 4_000 ? [`${elements} elements`] : []),
  ];
}

function findBeyond(): string[] {
  const scrolls = (element: Element | null): boolean =>
    element !== null &&
    (['auto', 'scroll'].includes(getComputedStyle(element).overflowX) ||
      scrolls(element.parentElement));
  return [...document.querySelectorAll('[data-text]')]
    .filter((element) => {
      const { left, right } = element.getBoundingClientRect();
      return (right > innerWidth + 1 || left < -1) && !scrolls(element);
    })
    .map((element) => `beyond the window: ${element.outerHTML.slice(0, 150)}`);
}

function findCut(): string[] {
  return [...document.querySelectorAll('[data-text]')]
    .filter((element) => {
      const { overflowX, textOverflow } = getComputedStyle(element);
      const isCut =
        ['hidden', 'clip'].includes(overflowX) && element.scrollWidth > element.clientWidth + 1;
      return isCut && (textOverflow !== 'ellipsis' || !element.closest('[title]'));
    })
    .map((element) => `cut off: ${element.outerHTML.slice(0, 150)}`);
}

/** The middle of the first line of a text belongs to another element. */
function findCovered(): string[] {
  const bars = 'header, nav, dialog, [popover]';
  return [...document.querySelectorAll('[data-text]')].flatMap((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    const [line] = range.getClientRects();
    if (!line || line.width < 4 || line.top < 0 || line.bottom > innerHeight) return [];
    // Of a text that is cut off, only a part is there.
    const { left, right } = element.getBoundingClientRect();
    const x = (Math.max(0, line.left, left) + Math.min(innerWidth - 1, line.right, right)) / 2;
    const top = document.elementFromPoint(x, line.top + line.height / 2);
    if (!top || top.contains(element) || element.contains(top)) return [];
    // Bars stay where they are while the page scrolls.
    const bar = top.closest(bars);
    if (bar && !bar.contains(element)) return [];
    return [`covered by ${top.outerHTML.slice(0, 80)}: ${element.outerHTML.slice(0, 150)}`];
  });
}
