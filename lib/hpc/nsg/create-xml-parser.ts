import { XMLParser } from 'fast-xml-parser';

/** Elements that may repeat. The parser would not make a list of a single one. */
const lists = new Set([
  'joblist.jobs.jobstatus',
  'results.jobfiles.jobfile',
  'workingdir.jobfiles.jobfile',
  'error.paramError',
]);
const listNames = new Set(['entry', 'message']);
const listParents = /\.(metadata\.entry|messages\.message)$/;

export function createXmlParser(): XMLParser {
  return new XMLParser({
    // Handles, codes and dates stay text.
    parseTagValue: false,
    // Entities are never expanded. The five of XML itself are decoded below.
    processEntities: false,
    removeNSPrefix: true,
    maxNestedTags: 20,
    isArray: (name, path) =>
      lists.has(String(path)) || (listNames.has(name) && listParents.test(String(path))),
    tagValueProcessor: (_, value) => decodeReferences(value),
  });
}

const named: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
};

/** Decodes in one pass, so that nothing is decoded twice. */
function decodeReferences(text: string): string {
  return text.replaceAll(
    /&(?:(lt|gt|amp|quot|apos)|#(\d{1,7})|#x([\da-f]{1,6}));/gi,
    (whole, name, decimal, hex) => {
      if (name) return named[name] ?? whole;
      const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
      return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
    },
  );
}
