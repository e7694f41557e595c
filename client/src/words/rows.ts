import { createPhrase } from './language.ts';

/** What is wrong with a table of grants, or of accounts. The names of columns are the same in all languages. */
export const rows = {
  cellsMissing: 'Line {line} has {cells} cells, but the first line names {names}.',
  quoteMisplaced:
    'Line {line} has a quote in the wrong place. Quote whole cells, and double the quotes inside.',
  lineTooLong: 'Line {line} is too long. Is a closing quote missing?',
  userMissing: 'user: The user number is missing.',
  projectTwice: 'project: Name the project once, either in project or in hpc and project_name.',
  eitherOr: '{plain}: Fill in either this or {raw}.',
  writeWhole: 'Write a whole number.',
  writeHours: 'Write a number of hours, such as 500, 2.5 or "500 node-hours".',
  writeSize: 'Write a size with its unit, such as 10GB or 500MB.',
  writeDay: 'Write a day, such as "31 March", 2027-03-31 or "3 months".',
  writeUser: 'Write the number of the user, such as 306328.',
  unknownColumns:
    'Unknown columns: {unknown}. The first line names the columns; the known ones are {known}.',
  columnsMissing:
    'Missing columns: {missing}. The first line names the columns, which are {known}.',
  notJson: 'It is not valid JSON.',
  sameAsLine: 'Line {first} names the same user and system. Keep only one of them.',
  noRows: 'The table has no rows below the names of its columns.',
} as const;

export const phrase = createPhrase('rows', rows);
