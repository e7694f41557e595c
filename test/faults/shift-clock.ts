import { readFileSync } from 'node:fs';
import { installClock } from './clock.ts';

/** Loaded with `--import`: sets the clock of a process, and of its threads, to what a file says. */
const clock = installClock();
let shift = 0;

setInterval(() => {
  const wanted = Number(readFileSync(process.env.CLOCK_FILE ?? '', 'utf8'));
  clock.jump(wanted - shift);
  shift = wanted;
}, 20).unref();
