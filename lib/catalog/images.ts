import type { HpcSystem } from './hpc-system.ts';

/** A registry: a host with a dot or a port, or this machine itself. */
const registry = /^(?:localhost|[a-z0-9-]+(?:\.[a-z0-9-]+)+|[a-z0-9-]+(?=:))(?::[0-9]{1,5})?$/;
const namePart = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*$/;
const tag = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/;
const digest = /^sha256:[a-f0-9]{64}$/;
const filePart = /^(?!\.{1,2}$)[A-Za-z0-9._@+-]{1,255}$/;

const longestImage = 512;

const referenceForm =
  'It must be an image with its registry, such as docker.io/library/python:3.13 or ghcr.io/org/tool@sha256:..., in lower case before the tag.';
const orFile = ' A file of an image is named by its whole path.';

/** Lists the patterns of the images that jobs of a system may name. */
export function listImages({ containers }: Pick<HpcSystem, 'containers'>): readonly string[] {
  if (!containers) return [];
  return containers.runtime === 'batch' ? Object.keys(containers.images) : containers.images;
}

/** Says why a job may not run in an image, or returns undefined if it may. */
export function judgeImage(
  system: Pick<HpcSystem, 'containers'>,
  image: string,
): string | undefined {
  const takesFiles = system.containers?.runtime === 'apptainer';
  const isRight = isReference(image) || (takesFiles && isFile(image));
  if (!isRight) return `${referenceForm}${takesFiles ? orFile : ''}`;
  const patterns = listImages(system);
  if (patterns.some((pattern) => matchesPattern(pattern, image))) return undefined;
  return `This system does not allow the image. Allowed are: ${patterns.join(', ')}.`;
}

/** Returns the job definition for an image. The first pattern decides. */
export function findDefinition(
  { containers }: Pick<HpcSystem, 'containers'>,
  image: string,
): string | undefined {
  if (containers?.runtime !== 'batch') return undefined;
  const found = Object.entries(containers.images).find(([each]) => matchesPattern(each, image));
  return found?.[1];
}

/** True for an image that is the same for ever. */
export function isPinned(image: string): boolean {
  return image.includes('@');
}

/** True for the path of a file, in which an image is already on the system. */
export function isFile(image: string): boolean {
  const [first, ...parts] = image.split('/');
  return first === '' && image.length <= longestImage && parts.every((part) => filePart.test(part));
}

/** Accepts `registry/name:tag@digest`. Programs disagree about what a name without a registry means. */
function isReference(image: string): boolean {
  if (image.length > longestImage) return false;
  const [named = '', pin, ...more] = image.split('@');
  if (more.length > 0 || (pin !== undefined && !digest.test(pin))) return false;
  const [host = '', ...parts] = named.split('/');
  const [last = '', version, ...others] = (parts.pop() ?? '').split(':');
  return (
    registry.test(host) &&
    [...parts, last].every((part) => namePart.test(part)) &&
    others.length === 0 &&
    (version === undefined || tag.test(version))
  );
}

/** `*` stands for anything but a slash, `**` for anything. Everything else stands for itself. */
export function matchesPattern(pattern: string, image: string): boolean {
  const parts = pattern.split(/(\*+)/).map((part, at) => {
    if (at % 2 === 1) return part.length > 1 ? '.*' : '[^/]*';
    return part.replaceAll(/[^A-Za-z0-9]/g, '\\$&');
  });
  return new RegExp(`^(?:${parts.join('')})$`).test(image);
}
