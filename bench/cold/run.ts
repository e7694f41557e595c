import { reportFigures } from '../functions/report-figures.ts';
import { measureCold } from './measure-cold.ts';

/** `npm run bench:cold [-- --json FILE]` */
reportFigures(await measureCold());
