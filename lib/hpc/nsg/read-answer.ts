import type { XMLParser } from 'fast-xml-parser';
import * as v from 'valibot';
import { decodeText } from '../call-upstream.ts';
import { SystemUnavailableError } from '../errors.ts';
import type { UpstreamAnswer } from '../exchange-bytes.ts';

const Text = v.optional(v.fallback(v.string(), ''), '');

/** An empty element is parsed as an empty text, which means no entries. */
const entries = <K extends string, T extends v.GenericSchema>(name: K, schema: T) =>
  v.pipe(
    v.optional(v.union([v.object({ [name]: v.optional(v.array(schema), []) }), v.literal('')]), ''),
    v.transform((value): v.InferOutput<T>[] => (value === '' ? [] : (value[name] ?? []))),
  );

const Status = v.object({
  jobHandle: v.string(),
  jobStage: Text,
  /** Absent in a list that was not expanded. */
  terminalStage: v.optional(v.picklist(['true', 'false'])),
  failed: v.optional(v.picklist(['true', 'false']), 'false'),
  metadata: entries('entry', v.object({ key: Text, value: Text })),
  messages: entries('message', v.object({ timestamp: Text, stage: Text, text: Text })),
});

export type NsgStatus = v.InferOutput<typeof Status>;

const File = v.object({ filename: Text, length: Text, outputDocumentId: Text });

export type NsgFile = v.InferOutput<typeof File>;

const Files = entries('jobfile', File);

export const JobStatus = v.object({ jobstatus: Status });
export const JobList = v.object({
  joblist: v.union([v.object({ jobs: entries('jobstatus', Status) }), v.literal('')]),
});
export const Results = v.object({
  results: v.union([v.object({ jobfiles: Files }), v.literal('')]),
});
export const WorkingDirectory = v.object({
  workingdir: v.union([v.object({ jobfiles: Files }), v.literal('')]),
});

/** Treats an unreadable answer, such as a proxy's page, as an outage. */
export async function readAnswer<T extends v.GenericSchema>(schema: T, answer: UpstreamAnswer) {
  const value = await parseXml(schema, decodeText(answer));
  if (value === undefined)
    throw new SystemUnavailableError('NSG: the answer could not be understood.');
  return value;
}

let opened: XMLParser | undefined;

/** Loads the parser with the first answer, because most functions never need it. */
async function openParser(): Promise<XMLParser> {
  const { createXmlParser } = await import('./create-xml-parser.ts');
  opened ??= createXmlParser();
  return opened;
}

/** Returns undefined for anything that is not XML of this schema. */
export async function parseXml<T extends v.GenericSchema>(
  schema: T,
  text: string,
): Promise<v.InferOutput<T> | undefined> {
  // NSG sends no document types. A peer that does wants entities expanded.
  if (/<!(DOCTYPE|ENTITY)/i.test(text)) return undefined;
  const parser = await openParser();
  try {
    const result = v.safeParse(schema, parser.parse(text, true));
    return result.success ? result.output : undefined;
  } catch {
    return undefined;
  }
}
