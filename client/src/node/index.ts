export * from '../index.ts';
export { createClient, type SlipwayOnNode } from './create-client.ts';
export { FolderNotPackable } from './pack/list-folder.ts';
export { type PackedFolder, type PackOptions, packFolder } from './pack/pack-folder.ts';
export type { SaveOptions } from './save/save-file.ts';
export {
  FilesSkipped,
  type SavedFile,
  type SaveFilesOptions,
  type SkippedFile,
} from './save/save-files.ts';
export type { SubmissionOnNode } from './submission-on-node.ts';
