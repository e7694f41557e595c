/**
 * The program `slipway-server` of the archive. It is written for any Node, so that one that is too
 * old is named instead of failing at some word of the language.
 */
const oldest = 24;
const found = process.versions.node;

if (Number.parseInt(found, 10) < oldest) {
  process.stderr.write(
    `Slipway needs Node ${oldest} or later, and ${process.execPath} is Node ${found}. Install a newer one (docs/on-premises.md), or put its folder first into PATH.\n`,
  );
  process.exit(1);
}

import('./run-server.ts')
  .then(({ runServer }) => runServer(process.argv.slice(2)))
  .catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.message : error}\n`);
    process.exitCode = 1;
  });
