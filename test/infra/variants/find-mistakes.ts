import type { Property, PropertyType, SpecDatabase } from '@aws-cdk/service-spec-types';
import type { TemplateJson } from '#tools/stacks/templates.ts';

type Value = unknown;

/** What CloudFormation would refuse of a template, a line each: `Id.Path.To.It: why`. */
export function findMistakes({ Resources }: TemplateJson, spec: SpecDatabase): string[] {
  return Object.entries(Resources).flatMap(([id, { Type: type, Properties = {} }]) => {
    // What a template brings itself, has no schema.
    if (type.startsWith('Custom::')) return [];
    const found = spec.lookup('resource', 'cloudFormationType', 'equals', type);
    if (found.length === 0) return [`${id}: there is no type ${type}`];
    return checkObject(id, Properties, found.only().properties, spec);
  });
}

function checkObject(
  at: string,
  value: object,
  properties: Readonly<Record<string, Property>>,
  spec: SpecDatabase,
): string[] {
  const missing = Object.entries(properties)
    .filter(([name, { required }]) => required === true && !(name in value))
    .map(([name]) => `${at}: ${name} is missing`);
  const wrong = Object.entries(value).flatMap(([name, each]) => {
    const property = properties[name];
    if (!property) return [`${at}.${name}: there is no such property`];
    const types = [property.type, ...(property.previousTypes ?? [])];
    return checkAny(`${at}.${name}`, each, types, spec);
  });
  return [...missing, ...wrong];
}

/** Wrong where it fits none of the types; then it is said what is wrong by the first. */
function checkAny(
  at: string,
  value: Value,
  types: readonly PropertyType[],
  spec: SpecDatabase,
): string[] {
  const [first = [], ...others] = types.map((type) => checkValue(at, value, type, spec));
  return others.some((mistakes) => mistakes.length === 0) ? [] : first;
}

function checkValue(at: string, value: Value, type: PropertyType, spec: SpecDatabase): string[] {
  if (isComputed(value)) return [];
  switch (type.type) {
    case 'string':
      return checkScalar(at, value, ['string', 'number', 'boolean'], type.allowedValues);
    case 'integer':
      return checkInteger(at, value, type.allowedValues);
    case 'number':
    case 'boolean':
      return checkScalar(at, value, [type.type]);
    case 'date-time':
      return checkScalar(at, value, ['string']);
    case 'array':
      return checkList(at, value, type.element, spec);
    case 'map':
      return checkMap(at, value, type.element, spec);
    case 'union':
      return checkAny(at, value, type.types, spec);
    case 'ref': {
      const { properties } = spec.get('typeDefinition', type.reference);
      return isObject(value) ? checkObject(at, value, properties, spec) : [`${at} is no object`];
    }
    case 'tag':
      return isObject(value) && 'Key' in value && 'Value' in value ? [] : [`${at} is no tag`];
    case 'json':
      return isObject(value) || typeof value === 'string' ? [] : [`${at} is no JSON`];
    case 'null':
      return value === null ? [] : [`${at} is something`];
  }
}

function checkList(at: string, value: Value, type: PropertyType, spec: SpecDatabase): string[] {
  if (!Array.isArray(value)) return [`${at} is no list`];
  return value.flatMap((each, n) => checkValue(`${at}[${n}]`, each, type, spec));
}

function checkMap(at: string, value: Value, type: PropertyType, spec: SpecDatabase): string[] {
  if (!isObject(value)) return [`${at} is no map`];
  return Object.entries(value).flatMap(([name, each]) =>
    checkValue(`${at}.${name}`, each, type, spec),
  );
}

function checkInteger(at: string, value: Value, allowed?: readonly number[]): string[] {
  if (!Number.isInteger(value)) return [`${at}: ${JSON.stringify(value)} is no integer`];
  return checkScalar(at, value, ['number'], allowed);
}

function checkScalar(
  at: string,
  value: Value,
  kinds: readonly string[],
  allowed?: readonly (string | number)[],
): string[] {
  if (!kinds.includes(typeof value)) return [`${at}: ${JSON.stringify(value)} is no ${kinds[0]}`];
  if (allowed === undefined || allowed.some((each) => each === value)) return [];
  return [`${at}: ${JSON.stringify(value)} is none of ${allowed.join(', ')}`];
}

/** What is known only when it is deployed. */
function isComputed(value: Value): boolean {
  if (!isObject(value)) return false;
  const names = Object.keys(value);
  return names.length === 1 && (names[0] === 'Ref' || names[0]?.startsWith('Fn::') === true);
}

function isObject(value: Value): value is Readonly<Record<string, Value>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
