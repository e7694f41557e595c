import { type KeyAttribute, keysOf, type TableDefinition } from '../store/table-definition.ts';
import { type AttributeValue, type Item, typeOf } from '../values/attribute-value.ts';
import { invalid, invalidParameter } from '../values/errors.ts';
import { readItem } from '../values/read-item.ts';

const maxHashBytes = 2048;
const maxRangeBytes = 1024;

/** Reads the key of a request. It must have exactly the key attributes of the table. */
export function readKey(table: TableDefinition, raw: unknown): Item {
  const key = readItem(raw);
  const attributes = keysOf(table);
  if (Object.keys(key).length !== attributes.length) throw mismatch();
  for (const attribute of attributes) {
    const value = key[attribute.name];
    if (!value || typeOf(value) !== attribute.type) throw mismatch();
    checkContent(table, attribute, value);
  }
  return key;
}

/** Checks an item against the keys of its table and indexes. */
export function checkItemKeys(table: TableDefinition, item: Item): void {
  for (const attribute of keysOf(table)) {
    const value = item[attribute.name];
    if (!value) throw invalidParameter(`Missing the key ${attribute.name} in the item`);
    const actual = typeOf(value);
    if (actual !== attribute.type) {
      throw invalidParameter(
        `Type mismatch for key ${attribute.name} expected: ${attribute.type} actual: ${actual}`,
      );
    }
    checkContent(table, attribute, value);
  }
  checkIndexKeys(table, item);
}

export function checkIndexKeys(table: TableDefinition, item: Item): void {
  for (const index of table.indexes) {
    for (const attribute of keysOf(index)) {
      const value = item[attribute.name];
      if (!value) continue;
      const actual = typeOf(value);
      if (actual !== attribute.type) {
        throw invalidParameter(
          `Type mismatch for Index Key ${attribute.name} Expected: ${attribute.type} ` +
            `Actual: ${actual} IndexName: ${index.name}`,
        );
      }
      if (lengthOf(value) === 0) {
        throw invalid(
          'One or more parameter values are not valid. A value specified for a secondary index ' +
            `key is not supported. ${describeEmpty(attribute)} ` +
            `IndexName: ${index.name}, IndexKey: ${attribute.name}`,
        );
      }
    }
  }
}

function checkContent(
  { hash }: TableDefinition,
  attribute: KeyAttribute,
  value: AttributeValue,
): void {
  const bytes = lengthOf(value);
  if (bytes === 0) {
    throw invalid(
      'One or more parameter values are not valid. ' +
        `${describeEmpty(attribute)} Key: ${attribute.name}`,
    );
  }
  if (attribute === hash && bytes > maxHashBytes) {
    throw invalidParameter(
      `Size of hashkey has exceeded the maximum size limit of${maxHashBytes} bytes`,
    );
  }
  if (attribute !== hash && bytes > maxRangeBytes) {
    throw invalidParameter(
      `Aggregated size of all range keys has exceeded the size limit of ${maxRangeBytes} bytes`,
    );
  }
}

function describeEmpty({ type }: KeyAttribute): string {
  const kind = type === 'B' ? 'binary' : 'string';
  return `The AttributeValue for a key attribute cannot contain an empty ${kind} value.`;
}

function lengthOf(value: AttributeValue): number {
  if ('S' in value) return Buffer.byteLength(value.S);
  return 'B' in value ? Buffer.byteLength(value.B, 'base64') : 1;
}

function mismatch(): Error {
  return invalid('The provided key element does not match the schema');
}
