import { createHash } from 'node:crypto';
import { isFile } from '#lib/catalog/images.ts';
import type { ImageTerms } from './choose-image.ts';
import { quoteForShell } from './quote-for-shell.ts';

/**
 * Finds what an account has of images. Programs keep them below the home of the account, which is not
 * always that of the job.
 */
export function findImages({ cache }: ImageTerms): string {
  const place = cache?.replaceAll('{account}', '$(id -un)') ?? '$HOME/.cache/slipway';
  return `home=$(getent passwd "$(id -u)" | cut -d: -f6)
HOME=\${home:-$HOME}
export HOME
cache="${place}"
`;
}

/** Names the files of an image in the cache. Two images never have the same name. */
export function nameInCache({ image }: ImageTerms): string {
  const hash = createHash('sha256').update(image).digest('hex').slice(0, 12);
  return `"$cache"/${image.replaceAll(/[^A-Za-z0-9.-]/g, '_').slice(-100)}-${hash}`;
}

/** Returns the word for the file that apptainer runs. */
export function placeOfFile(terms: ImageTerms): string {
  return isFile(terms.image) ? quoteForShell(terms.image) : `${nameInCache(terms)}.sif`;
}
