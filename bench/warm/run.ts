import { reportRatios } from '../functions/report-ratios.ts';
import { runPart } from '../measure/run-part.ts';
import { measureWarm } from './measure-warm.ts';

const help = `Measures what a request costs through the whole chain, as a multiple of a bare handler with the same calls.

  npm run bench:warm

  --cpu-prof DIR  also leave a profile of each comparison there, which makes it slower
`;

await runPart({
  help,
  options: { 'cpu-prof': { type: 'string' } },
  async measure({ 'cpu-prof': profiles }) {
    return reportRatios(await measureWarm(typeof profiles === 'string' ? profiles : undefined));
  },
});
