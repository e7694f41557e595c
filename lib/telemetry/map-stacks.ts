import { readFileSync } from 'node:fs';
import { SourceMap } from 'node:module';

/**
 * Makes stacks name source files instead of the bundle. Only bundles contain this module. `node
 * --enable-source-maps` would read and parse the map at each cold start, which took a fifth of it;
 * here the map is read when a stack is first used.
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
    // Without the map, the bundle's own line is better than no stack.
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
