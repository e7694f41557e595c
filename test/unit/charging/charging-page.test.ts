import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { grantMemory, offerIn } from '#lib/catalog/resources.ts';
import { chargeJob, computeSettlement } from '#lib/charging/charge-job.ts';

const page = readFileSync('docs/charging.md', 'utf8');

const [, written = ''] = /^"charging": (.*)$/m.exec(page) ?? [];
const sum = JSON.parse(written);

const system = {
  limits: { nodes: 8, coresPerNode: 32 },
  memoryPerNode: 256,
  gpusPerNode: 4,
  grantableRuntime: 24,
  connector: { kind: 'simulator' },
  classes: [{ name: 'twice', chargingFactor: 2 }],
} as const;

const job = { nodes: 2, coresPerNode: 8, gpusPerNode: 1, memoryMegabytes: 64_000 };
const hours = 3;

const rows = [
  { name: '`"wall-clock"`', charging: 'wall-clock' },
  { name: '`"node"`', charging: 'node' },
  { name: '`"core"`', charging: 'core' },
  { name: 'weights with `"rule": "sum"`', charging: sum },
  { name: 'weights with `"rule": "max"`', charging: { ...sum, rule: 'max' } },
] as const;

describe('docs/charging.md', () => {
  it.each(rows)('computes its example of $name', ({ name, charging }) => {
    const { seconds } = chargeJob(offerIn({ ...system, charging }, undefined), job, hours);
    const row = page.split('\n').find((line) => line.startsWith(`| ${name} |`)) ?? '';
    const anHour = seconds / hours / 3600;
    expect(row).toMatch(new RegExp(`(= |\\| )${anHour} hours? \\|`));
    expect(row).toContain(`| ${seconds / 3600} hours, ${seconds.toLocaleString('en')} seconds |`);
  });

  it('computes its example of a class', () => {
    const { seconds } = chargeJob(offerIn({ ...system, charging: sum }, 'twice'), job, hours);
    expect(page).toContain(
      `so ${seconds / 3600} hours or ${seconds.toLocaleString('en')} seconds for its 3 hours`,
    );
  });

  it('computes its example of memory that nobody asked for', () => {
    const granted = grantMemory({ ...system, charging: 'node' }, { nodes: 1, coresPerNode: 8 });
    expect(page).toContain(`gets ${Number(granted) / 1000} GB.`);
  });

  it('computes its example of a settlement', () => {
    const hold = chargeJob(offerIn({ ...system, charging: sum }, undefined), job, hours);
    const { used, returned } = computeSettlement(hold, hours, 3600);
    expect(page).toContain(
      `is charged ${used.toLocaleString('en')} seconds, and ${returned.toLocaleString('en')} are returned`,
    );
  });
});
