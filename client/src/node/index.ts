export * from '../index.ts';
export type { SubmissionOnNode } from './create-client.ts';
export { createClient, type SlipwayOnNode } from './create-client.ts';
export {
  FolderNotPackable,
  type PackedFolder,
  type PackOptions,
  packFolder,
} from './pack-folder.ts';
export type { SaveOptions } from './save-files.ts';
export {
  FilesSkipped,
  type SavedFile,
  type SaveFilesOptions,
  type SkippedFile,
} from './save-files.ts';
