import { FilesEnvironment, readEnvironment, TableEnvironment } from '#lib/config.ts';
import { openJobFiles } from '#lib/files/storage/object-store.ts';
import { removeUploads } from '#lib/files/uploads/remove-uploads.ts';
import { shareTable } from '#lib/table/share-table.ts';

const table = shareTable(readEnvironment(TableEnvironment).TABLE_NAME);
const { inputs } = openJobFiles(readEnvironment(FilesEnvironment));

/** Removes the files of uploads that no job has begun with. */
export async function handler(): Promise<void> {
  await removeUploads(table, inputs);
}
