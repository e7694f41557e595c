import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '#infra/settings/config.ts';
import { addStacks } from '#infra/stacks/add-stacks.ts';
import { type Context, makeApp } from './make-app.ts';
import { readTemplates, type Templates } from './templates.ts';

export function synthesizeVariant(context: Context): Templates {
  const outdir = mkdtempSync(join(tmpdir(), 'slipway-synth-'));
  try {
    const app = makeApp(context, { outdir, builtinCloudFormationValidation: false });
    return readTemplates(addStacks(app, readConfig(app.node)));
  } finally {
    rmSync(outdir, { recursive: true });
  }
}
