import { join } from 'node:path';
import { describe, it } from 'vitest';
import { openIssuer } from '#local/issuer.ts';
import { findFreePort } from '../engines/find-free-port.ts';
import { end, openHome } from '../fixtures/edition.ts';
import { recordRun } from '../setup/record-run.ts';
import { expectOrder } from './judge.ts';
import { openOverHttp, simulatedHour } from './over-http.ts';
import { play } from './play.ts';

/** LINEAR_SEED makes the same choices again, but not the same answers. */
const isLong = process.env.LINEAR === 'long';
const firstSeed = Number(process.env.LINEAR_SEED ?? Date.now() % 200_000_000);
const clients = 5;
const callsOfClient = 12;
/** Histories that are played beside each other, each in its own project. */
const atOnce = 8;
/** On a slow machine fewer are played, so that a run ends. */
const mostSeconds = 180;

interface Run {
  readonly suite: string;
  readonly histories: number;
  /** Kills while each group of histories is played. */
  readonly kills: number;
}

const runs = Number(process.env.LINEAR_RUNS ?? 240);
const plain = { suite: 'linear-http', histories: runs, kills: 0 };
const killed = { suite: 'linear-kills', histories: runs / 2, kills: 2 };

/** A laptop edition that can be killed and started again with its folder. */
async function startEdition() {
  const home = openHome();
  const environment = {
    PORT: String(await findFreePort()),
    SIM_HOUR_SECONDS: String(simulatedHour),
  };
  let edition = await home.start(environment);
  return {
    url: `http://127.0.0.1:${environment.PORT}`,
    issuer: openIssuer(join(home.path, '.slipway')),
    async kill() {
      await end(edition.child, 'SIGKILL');
      edition = await home.start(environment);
    },
  };
}

async function playAll({ suite, histories, kills }: Run): Promise<void> {
  const { url, issuer, kill } = await startEdition();
  const began = performance.now();
  const secondsGone = () => (performance.now() - began) / 1000;
  let [played, calls, unanswered, killedTimes] = [0, 0, 0, 0];
  while (played < histories && secondsGone() < mostSeconds) {
    const seeds = Array.from({ length: atOnce }, (_, place) => firstSeed + played + place);
    let made = 0;
    let restart = Promise.resolve();
    let killsToCome = kills;
    const onCall = () => {
      made += 1;
      const due = ((kills + 1 - killsToCome) * atOnce * clients * callsOfClient) / (kills + 1);
      if (killsToCome === 0 || made < due) return;
      killsToCome -= 1;
      killedTimes += 1;
      restart = restart.then(kill);
    };
    const group = await Promise.all(
      seeds.map(async (seed) => {
        const project = await openOverHttp(url, issuer, seed);
        const history = await play(project, { seed, clients, callsOfClient, onCall });
        expectOrder(history, project.unit, seed);
        return history;
      }),
    );
    await restart;
    played += group.length;
    calls += group.flat().length;
    unanswered += group.flat().filter(({ answer }) => !answer).length;
  }
  const figures = [
    `${clients} clients in each of ${atOnce} projects at once`,
    ...(kills > 0 ? [`${killedTimes} kills, ${unanswered} calls without an answer`] : []),
    `seed ${firstSeed}`,
  ];
  process.stdout.write(`${suite}: ${calls} calls, ${played} histories, ${figures.join(', ')}\n`);
  recordRun({
    suite,
    tried: [
      { unit: 'concurrent calls over HTTP put in order', tried: calls, survived: calls },
      { unit: 'histories', tried: played, survived: played },
    ],
    figures,
    seconds: secondsGone(),
  });
}

describe.runIf(isLong)('accounts of a laptop edition, over HTTP', () => {
  it('have an order of everything', () => playAll(plain), 1_800_000);

  it('have one although it is killed and started again', () => playAll(killed), 1_800_000);
});
