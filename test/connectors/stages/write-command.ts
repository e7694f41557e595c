import { buildZip } from '#test/fixtures/build-zip.ts';
import type { Order } from '../staged-system.ts';

/** For kinds whose jobs are commands in a shell. */
export function writeCommand({ script, files, zip = files && buildZip(files) }: Order) {
  return { command: script, wishes: zip ? { zip } : {} };
}
