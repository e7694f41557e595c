import type { XMLParser } from 'fast-xml-parser';
import * as v from 'valibot';

let opened: XMLParser | undefined;

/** Loaded when the first answer is here: most functions that could ask such a system never do. */
async function openParser(): Promise<XMLParser> {
  const { createXmlParser } = await import('./create-xml-parser.ts');
  opened ??= createXmlParser();
  return opened;
}

/** Nothing for whatever is not XML as the schema wants it. */
export async function parseXml<T extends v.GenericSchema>(
  schema: T,
  text: string,
): Promise<v.InferOutput<T> | undefined> {
  // The interface has no document types: who sends one wants entities expanded.
  if (/<!(DOCTYPE|ENTITY)/i.test(text)) return undefined;
  const parser = await openParser();
  try {
    const result = v.safeParse(schema, parser.parse(text, true));
    return result.success ? result.output : undefined;
  } catch {
    return undefined;
  }
}
