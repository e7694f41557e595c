import { parseArgs } from 'node:util';
import { reportFigures } from '../functions/report-figures.ts';
import { measureWarm } from './measure-warm.ts';

/** `npm run bench:warm [-- --json FILE] [-- --cpu-prof DIRECTORY]` */
const { values } = parseArgs({ options: { 'cpu-prof': { type: 'string' } }, strict: false });
const profiles = values['cpu-prof'];
reportFigures(await measureWarm(typeof profiles === 'string' ? profiles : undefined));
process.exit(0);
