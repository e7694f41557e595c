import type { FileOfJob, Slipway } from '#client/src/index.ts';
import { saveBlob } from '../../parts/save.ts';

/** Read as everything else, so that the token stays out of every address. */
export async function saveFile(service: Slipway, file: FileOfJob, name: string): Promise<void> {
  const response = await service.readFile(file);
  saveBlob(await response.blob(), name.split('/').at(-1) ?? name);
}
