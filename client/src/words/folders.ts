import { createPhrase } from './language.ts';

/** Why a folder cannot be packed, or a file not saved. */
export const folders = {
  tooManyFiles: 'It has {files} files; a zip may have {most}. Pack some of them together.',
  notUtf8: "'{name}' has a name that is not UTF-8. Rename it.",
  oddCharacter: "'{name}' has a backslash or a control character in its name. Rename it.",
  isLink: "'{name}' is a link. Replace it with a copy of its target, or remove it.",
  notFile: "'{name}' is not a file or folder. Remove it.",
  andMore: 'And {more} more.',
  notPackable: '{folder} cannot be packed.',
  someNotSaved: 'Some files could not be saved under their names. {names}',
  nameTwice: 'Another file of the job has this name already.',
  folderIsFile: 'A folder in its path is already a file.',
  nameOfFolder: 'A folder has this name already.',
  nameTooLong: 'The name is too long.',
  nameRefused: 'The disk does not accept this name.',
  someBytes: 'Only {written} of {whole} bytes arrived.',
  leadsOut: 'The name leads out of the folder.',
  nameEmpty: 'The name is empty.',
} as const;

export const phrase = createPhrase('folders', folders);
