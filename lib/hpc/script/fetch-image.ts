import { isFile, isPinned } from '#lib/catalog/images.ts';
import type { ImageTerms } from './choose-image.ts';
import { findImages, nameInCache, placeOfFile } from './place-images.ts';
import { quoteForShell } from './quote-for-shell.ts';

/** An image with a tag may be another one tomorrow. */
const freshMinutes = 24 * 60;

/**
 * Writes the text of a shell that brings an image to where it is run, and fails if it cannot. What it
 * prints says why. Of several jobs at once, one fetches and the others wait for it. If a registry is
 * away, the image of an earlier job will do.
 */
export function writeImageFetch(terms: ImageTerms): string {
  const { image, runtime } = terms;
  if (runtime === 'apptainer' && isFile(image)) return requireFile(image);
  const [has, fetch] = runtime === 'apptainer' ? byApptainer(terms) : byEngine(terms);
  const files = nameInCache(terms);
  // Nodes may share a file, and one that runs from it would lose it.
  const staysFresh = isPinned(image) || runtime === 'apptainer';
  const isFresh = staysFresh
    ? ':'
    : `[ -n "$(find ${files}.fetched -mmin -${freshMinutes} 2>/dev/null)" ]`;
  return `${findImages(terms)}has_image() { ${has}; }
is_fresh() { ${isFresh}; }
if has_image && is_fresh; then exit 0; fi
mkdir -p -- "$cache" || exit 1
(
  if command -v flock >/dev/null; then flock 9; fi
  if has_image && is_fresh; then exit 0; fi
  ${fetch} || has_image || exit 1
  : >${files}.fetched
) 9>${files}.lock
`;
}

function requireFile(image: string): string {
  const file = quoteForShell(image);
  return `if ! [ -r ${file} ]; then\n  echo "No file ${image} can be read on this system."\n  exit 1\nfi\n`;
}

type Steps = readonly [has: string, fetch: string];

function byEngine({ image, runtime }: ImageTerms): Steps {
  const name = quoteForShell(image);
  return runtime === 'podman'
    ? [`podman image exists ${name}`, `podman pull --quiet ${name}`]
    : [`docker image inspect ${name} >/dev/null 2>&1`, `docker pull --quiet ${name}`];
}

/** A file that is only half there never has the name of an image. */
function byApptainer(terms: ImageTerms): Steps {
  const file = placeOfFile(terms);
  const address = quoteForShell(`docker://${terms.image}`);
  const fetch = `apptainer pull --force --disable-cache ${file}.part ${address} && mv -f -- ${file}.part ${file}`;
  return [`[ -s ${file} ]`, fetch];
}
