import type { CommandUnknownOpts } from '@commander-js/extra-typings';
import type { Session } from './session.ts';

/** A session with what was said before and after the name of the command. */
export type Open = (command: CommandUnknownOpts) => Session;
