import { XMLValidator } from 'fast-xml-parser';
import { describe, expect, it } from 'vitest';
import { chooseTicks } from '../../../bench/report/choose-ticks.ts';
import { drawGrowth } from '../../../bench/report/draw-growth.ts';
import { drawThroughput } from '../../../bench/report/draw-throughput.ts';
import { writeText } from '../../../bench/report/picture.ts';

const growth = ['single', 'page-100', 'submit'].flatMap((name) => [
  { name: `growth.${name}.10000-jobs`, value: 2.2 },
  { name: `growth.${name}.100-jobs`, value: 2 },
  { name: `growth.${name}`, value: 1.1 },
]);

const throughput = [
  { name: 'http.single.c1.per-second', value: 800 },
  { name: 'http.single.c16.per-second', value: 1512.4 },
  { name: 'http.single.c16.p50', value: 7 },
];
const slurmrestd = [{ name: 'http.slurmrestd.single.c16.per-second', value: 1230 }];

describe('a picture', () => {
  it.each([
    ['of growth', drawGrowth(growth)],
    ['of throughput', drawThroughput(throughput)],
  ])('%s is well-formed, says what it shows, and draws no place that is not one', (_, svg) => {
    expect(XMLValidator.validate(svg)).toBe(true);
    expect(svg).toMatch(/<title id="title">.+<\/title>/);
    expect(svg).toContain('prefers-color-scheme: dark');
    expect(svg).not.toMatch(/NaN|Infinity|undefined/);
  });

  it('of growth shows the medians, the sizes in their order, and the budget', () => {
    const svg = drawGrowth(growth);
    expect(svg).toContain('>2.00 ms<');
    expect(svg).toContain('>2.20 ms<');
    expect(svg).toContain('budget: at most 1.2 ×');
    expect(svg.indexOf('>100<')).toBeLessThan(svg.indexOf('>10,000<'));
  });

  it('of throughput shows slurmrestd where it was measured', () => {
    expect(drawThroughput(throughput)).toContain('>1,512<');
    expect(drawThroughput(throughput)).not.toContain('slurmrestd');
    expect(drawThroughput([...throughput, ...slurmrestd])).toContain(
      '>slurmrestd, 16 connections<',
    );
  });

  it('of nothing is none', () => {
    expect(() => drawGrowth([])).toThrow('bench:growth');
    expect(() => drawThroughput([])).toThrow('bench:http');
  });

  it('shows signs of XML as they are', () => {
    expect(writeText(1, 2, 'a < b & c')).toContain('a &lt; b &amp; c');
  });
});

it.each([
  { most: 2400, ticks: [0, 500, 1000, 1500, 2000, 2500] },
  { most: 1000, ticks: [0, 200, 400, 600, 800, 1000] },
  { most: 33, ticks: [0, 10, 20, 30, 40] },
])('chooses round numbers up to $most', ({ most, ticks }) => {
  expect(chooseTicks(most)).toEqual(ticks);
});
