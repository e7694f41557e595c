import { reportFigures } from '../functions/report-figures.ts';
import { measureWarm } from './measure-warm.ts';

/** `npm run bench:warm [-- --json FILE]` */
reportFigures(await measureWarm());
process.exit(0);
