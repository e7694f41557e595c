import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';

/**
 * Stacks that name the sources and not the bundle. A part of every bundle and of nothing else:
 * `node --enable-source-maps` does the same, but reads and parses the map at each cold start,
 * which took a fifth of it. Here the first stack that is looked at pays.
 */
let opened: SourceMap | undefined;

function openMap(): SourceMap {
  opened ??= new SourceMap(JSON.parse(readFileSync(`${__filename}.map`, 'utf8')));
  return opened;
}

Error.prepareStackTrace = (error, sites) => {
  const lines = sites.map((site) => `\n    at ${describeSite(site)}`);
  return `${error}${lines.join('')}`;
};

function describeSite(site: NodeJS.CallSite): string {
  try {
    return site.getFileName() === __filename ? describeOwnSite(site) : String(site);
  } catch {
    // Without its map the bundle's own line is still better than no stack.
    return String(site);
  }
}

function describeOwnSite(site: NodeJS.CallSite): string {
  const [line, column] = [site.getLineNumber() ?? 1, site.getColumnNumber() ?? 1];
  const entry = openMap().findEntry(line - 1, column - 1);
  if (!('originalSource' in entry)) return String(site);
  const { originalSource, originalLine, originalColumn } = entry;
  const place = `${originalSource}:${originalLine + 1}:${originalColumn + 1}`;
  return String(site).replace(`${__filename}:${line}:${column}`, place);
}
