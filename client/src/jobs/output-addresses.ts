import type { Submission } from './submission.ts';

export type AddressedOutput = NonNullable<Submission['outputs']>[number];

/** Reads `results/*.nc=s3://lab-data/runs/`. */
export function readOutputAddress(text: string): AddressedOutput | undefined {
  const [, files, to] = /^(.+?)=([a-z0-9]+:\/\/.+)$/i.exec(text.trim()) ?? [];
  return files === undefined || to === undefined ? undefined : { files, to };
}

/** Leaves out the signature that a web address may have. */
export function hideSignature(address: string): string {
  return address.startsWith('s3:') ? address : address.replace(/\?.*$/s, '');
}

/** Writes what `readOutputAddress` reads. */
export function writeOutputAddress({ files, to }: AddressedOutput): string {
  return `${files}=${to}`;
}
