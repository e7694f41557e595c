// A reaction between two substances that spread at different speeds: the Gray-Scott model. From a few
// drops it grows spots that divide like cells. Change `feed` and `kill` in parameters.json by a few
// thousandths and you get stripes, mazes or waves.
//
//   node study.mjs            reads parameters.json, writes pattern.png, growth.csv and growth.svg
//
// Pearson, Complex Patterns in a Simple System, Science 261 (1993): https://arxiv.org/abs/patt-sol/9304003

import { readFileSync, writeFileSync } from 'node:fs';
import { drawChart, writePicture } from './draw.mjs';

const { size, steps, feed, kill, seeds, seed } = JSON.parse(
  readFileSync('parameters.json', 'utf8'),
);

// How fast each substance spreads. The first is the food, the second eats it and multiplies.
const spreadFood = 0.16;
const spreadEater = 0.08;

let food = new Float64Array(size * size).fill(1);
let eater = new Float64Array(size * size);
let nextFood = new Float64Array(size * size);
let nextEater = new Float64Array(size * size);

// Random numbers that are the same in every run, so that you can repeat a result.
let state = seed;
function random() {
  state = (state * 1664525 + 1013904223) % 2 ** 32;
  return state / 2 ** 32;
}

// A few square drops of the eater, anywhere.
for (let drop = 0; drop < seeds; drop += 1) {
  const [left, top] = [Math.floor(random() * size), Math.floor(random() * size)];
  for (let y = 0; y < 6; y += 1) {
    for (let x = 0; x < 6; x += 1) {
      const cell = ((top + y) % size) * size + ((left + x) % size);
      food[cell] = 0.5;
      eater[cell] = 0.25 + 0.05 * random();
    }
  }
}

// One step of time: both substances spread to the four neighbours, and react. The sides of the
// square are joined, so that nothing happens at an edge.
function advance() {
  for (let y = 0; y < size; y += 1) {
    const row = y * size;
    const above = ((y + size - 1) % size) * size;
    const below = ((y + 1) % size) * size;
    for (let x = 0; x < size; x += 1) {
      const left = x === 0 ? size - 1 : x - 1;
      const right = x === size - 1 ? 0 : x + 1;
      const u = food[row + x];
      const v = eater[row + x];
      const aroundU =
        food[row + left] + food[row + right] + food[above + x] + food[below + x] - 4 * u;
      const aroundV =
        eater[row + left] + eater[row + right] + eater[above + x] + eater[below + x] - 4 * v;
      const eaten = u * v * v;
      nextFood[row + x] = u + spreadFood * aroundU - eaten + feed * (1 - u);
      nextEater[row + x] = v + spreadEater * aroundV + eaten - (feed + kill) * v;
    }
  }
  [food, nextFood] = [nextFood, food];
  [eater, nextEater] = [nextEater, eater];
}

// The share of the square that is covered by the eater.
function covered() {
  return eater.reduce((count, v) => count + (v > 0.1 ? 1 : 0), 0) / eater.length;
}

console.log(`${size} x ${size} cells, ${steps} steps, feed ${feed}, kill ${kill}`);
const growth = [];
const every = Math.max(1, Math.round(steps / 40));
for (let step = 0; step <= steps; step += 1) {
  if (step % every === 0) {
    growth.push({ step, covered: covered() });
    const percent = (100 * growth.at(-1).covered).toFixed(1);
    console.log(
      `step ${step} of ${steps} (${Math.round((100 * step) / steps)} %): ${percent} % covered`,
    );
  }
  if (step < steps) advance();
}

const rows = growth.map((row) => `${row.step},${row.covered.toFixed(4)}`);
writeFileSync('growth.csv', `step,covered\n${rows.join('\n')}\n`);
writeFileSync('growth.svg', drawChart(growth));
writeFileSync('pattern.png', writePicture(eater, size));
console.log('Wrote pattern.png, growth.csv and growth.svg');
