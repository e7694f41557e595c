import { mkdtempDisposableSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readOperatorCatalog } from '../catalog/read-operator-catalog.ts';
import { consoleBudget, weighConsole } from '../client/build-console.ts';
import { runTool } from '../run-tool.ts';
import { buildBundles } from './build-bundles.ts';
import { isOver, readBudgets } from './bundle-budgets.ts';

const parts = ['first', 'researcher', 'part', 'style'] as const;

const help = `Prints the size of every function with its modules and largest packages, and the size of
the console. Exits with 1 if something is over its budget (tools/bundles/budgets.json).

  npm run bundle:report
`;

const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} KB`;

await runTool(help, {}, async () => {
  const catalog = readOperatorCatalog();
  using folder = mkdtempDisposableSync(join(tmpdir(), 'slipway-bundles-'));
  const bundles = await buildBundles(folder.path, catalog);
  const budgets = readBudgets();
  for (const { name, bytes, modules, largest } of bundles) {
    const packages = largest.map((each) => `${each.name} ${kilobytes(each.bytes)}`).join(', ');
    const mark = isOver({ bytes, modules }, budgets[name]) ? '  OVER' : '';
    process.stdout.write(
      `${name.padEnd(20)}${kilobytes(bytes).padStart(10)}${String(modules).padStart(5)} modules${mark}   ${packages}\n`,
    );
  }
  const weight = await weighConsole(join(folder.path, 'console'));
  for (const part of parts) {
    const mark = weight[part] > consoleBudget[part] ? '  OVER' : '';
    process.stdout.write(
      `${`console, ${part}`.padEnd(20)}${kilobytes(weight[part]).padStart(10)}${mark}   compressed, of ${kilobytes(consoleBudget[part])}\n`,
    );
  }
  const isHeavy =
    bundles.some((each) => isOver(each, budgets[each.name])) ||
    parts.some((part) => weight[part] > consoleBudget[part]);
  return isHeavy ? 1 : 0;
});
