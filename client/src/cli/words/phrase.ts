import { createPhrase } from '../../words/language.ts';
import { admin } from './english/admin.ts';
import { jobs } from './english/jobs.ts';
import { parser } from './english/parser.ts';
import { project } from './english/project.ts';
import { service } from './english/service.ts';
import { session } from './english/session.ts';
import { shared } from './english/shared.ts';

/** The English messages of the command. Keys start with the name of the file that holds them. */
export const english = {
  ...shared,
  ...session,
  ...jobs,
  ...service,
  ...project,
  ...admin,
  ...parser,
} as const;

/** Writes a message of the command in the language of the reader. */
export const phrase = createPhrase('command', english);
