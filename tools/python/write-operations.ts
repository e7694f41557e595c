import type { ApiDocument, ApiOperation, JsonSchema } from '../client/document.ts';
import { isPaged, listInputs, listMethods, type Method } from '../client/write-operations.ts';
import { writePythonName, writeSnake } from './names.ts';
import { heading, unionNames, writeType } from './write-models.ts';

/** Writes a method for each operation, asynchronous: `writeSync` makes the others from it. */
export function writePythonOperations(document: ApiDocument): string {
  const methods = listMethods(document).map(writeMethod);
  return `${heading}"""A method for each operation of the service."""

from __future__ import annotations

from typing import Literal

from .. import models
from .paged import AsyncPaged
from .transport import AsyncTransport


class AsyncOperations:
    """Every operation of the service, with the names of its interface."""

    def __init__(self, transport: AsyncTransport) -> None:
        self._transport = transport
${methods.join('')}`;
}

interface Parameter {
  readonly name: string;
  readonly type: string;
  readonly needed: boolean;
}

function writeMethod(method: Method): string {
  const parameters = listParameters(method);
  const body = writeBody(method);
  const all = [...parameters, ...(body ? [body] : [])];
  const signature = all
    .map(
      ({ name, type, needed }) =>
        `        ${writePythonName(name)}: ${needed ? type : `${type} | None = None`},`,
    )
    .join('\n');
  const named = parameters.map(({ name }) => `"${name}": ${writePythonName(name)}`).join(', ');
  const { type, item, reader } = writeResult(method);
  const paged = isPaged(method);
  const isList = item !== type;
  const call = paged ? 'list_pages' : `call${isList ? '_list' : ''}`;
  return `
    ${paged ? 'def' : 'async def'} ${writeSnake(method.name)}(
        self,${all.length > 0 ? `\n        *,\n${signature}` : ''}
    ) -> ${paged ? `AsyncPaged[${item}]` : type}:
        """${writeWords(method.forms[0])}"""
        return ${paged ? '' : 'await '}self._transport.${call}(
            ${paged ? '' : `"${method.method}",\n            `}"${method.path}",
            {${named}},
            ${reader},${body ? '\n            body=body,' : ''}
        )
`;
}

function writeWords(form: ApiOperation | undefined): string {
  const { summary = '', description } = form ?? {};
  return [`${summary}.`, description].filter(Boolean).join(' ').replaceAll('\\', '\\\\');
}

function listParameters(method: Method): Parameter[] {
  return listInputs(method)
    .map(({ name, needed, schema }) => ({
      name,
      type: schema ? writeParameter(schema) : 'str',
      needed,
    }))
    .sort((a, b) => Number(b.needed) - Number(a.needed));
}

/** Queries send `true` and `false` as text, but callers pass booleans. */
function writeParameter(schema: JsonSchema): string {
  const type = writeType(schema, '', () => 'Any');
  return type === 'Literal["true", "false"]' ? 'bool' : type;
}

function writeBody({ name, forms }: Method): Parameter | undefined {
  const body = forms[0]?.requestBody;
  if (!body?.content['application/json']?.schema) return undefined;
  const type = `models.${name.charAt(0).toUpperCase()}${name.slice(1)}Body`;
  return { name: 'body', type, needed: body.required };
}

/** Writes the type of the answer, the type of its items, and the function that reads one of them. */
function writeResult({ forms }: Method) {
  const responses: ApiOperation['responses'] = forms[0]?.responses ?? {};
  const [whole = 'Any'] = ['200', '201'].flatMap((status) => {
    const schema = responses[status]?.content?.['application/json']?.schema;
    return schema ? [writeType(schema, '', () => 'Any')] : [];
  });
  const name = /^list\[(.*)\]$/.exec(whole)?.[1] ?? whole;
  const item = `models.${name}`;
  const isUnion = unionNames.includes(name);
  return {
    item,
    type: whole === name ? item : `list[${item}]`,
    reader: isUnion ? `models.read_${writeSnake(name)}` : `${item}.from_json`,
  };
}
