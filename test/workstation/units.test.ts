import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { examples } from './workstation.ts';

const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

if (!hasSystemd) process.stdout.write('Units cannot be checked: it takes systemd-analyze.\n');

describe.runIf(hasSystemd)('the units of docs/examples/on-premises', () => {
  it('are what systemd expects', () => {
    const folder = mkdtempSync(join(tmpdir(), 'slipway-units-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    writeFileSync(join(folder, 'slipway-server'), '', { mode: 0o755 });
    const names = readdirSync(examples).filter((name) => /\.(service|socket|timer)$/.test(name));
    expect(names).toHaveLength(8);
    for (const name of names) {
      const unit = readFileSync(join(examples, name), 'utf8');
      writeFileSync(join(folder, name), unit.replaceAll('/opt/slipway', folder));
    }
    const files = names.map((name) => join(folder, name));
    const { status, stderr } = spawnSync('systemd-analyze', ['verify', ...files], {
      encoding: 'utf8',
    });
    const about = stderr.split('\n').filter((line) => line.includes('slipway'));
    expect({ status, about }).toEqual({ status: 0, about: [] });
  });
});
