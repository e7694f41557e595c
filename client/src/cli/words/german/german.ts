import { german } from '../../../words/german/german.ts';
import { admin } from './admin.ts';
import { jobs } from './jobs.ts';
import { parser } from './parser.ts';
import { project } from './project.ts';
import { service } from './service.ts';
import { session } from './session.ts';
import { shared } from './shared.ts';

/** German, for the command. */
export const language = {
  ...german,
  catalogues: {
    ...german.catalogues,
    command: { ...shared, ...session, ...jobs, ...service, ...project, ...admin, ...parser },
  },
};
