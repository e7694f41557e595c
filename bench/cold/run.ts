import { reportRatios } from '../functions/report-ratios.ts';
import { runPart } from '../measure/run-part.ts';
import { measureCold } from './measure-cold.ts';

const help = `Measures what the import of each function of the API costs, as a share of a bare client's.

  npm run bench:cold

`;

await runPart({ help, options: {}, measure: async () => reportRatios(await measureCold()) });
