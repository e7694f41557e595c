import type { AttributeValue } from 'aws-lambda';

type Image = Readonly<Record<string, AttributeValue>>;

/** Reads an item from a record of the table's stream. Our items hold no binaries and no sets. */
export function readImage(image: Image): Record<string, unknown> {
  return Object.fromEntries(Object.entries(image).map(([name, value]) => [name, readValue(value)]));
}

function readValue(value: AttributeValue): unknown {
  if (value.S !== undefined) return value.S;
  if (value.N !== undefined) return Number(value.N);
  if (value.BOOL !== undefined) return value.BOOL;
  if (value.L !== undefined) return value.L.map(readValue);
  if (value.M !== undefined) return readImage(value.M);
  return null;
}
