/** Whatever is logged becomes a line: a failure that cannot be written must not be a second one. */
export function writeJson(line: Readonly<Record<string, unknown>>): string {
  try {
    return JSON.stringify(line, describeErrors);
  } catch (error) {
    return JSON.stringify({ level: line.level, message: line.message, unwritable: String(error) });
  }
}

function describeErrors(_name: string, value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  return value instanceof Error ? describeError(value) : value;
}

/** JSON would show none of it but what an error has beyond its own. */
function describeError(error: Error) {
  const { name, message, stack, cause } = error;
  return { ...error, name, location: findLocation(stack), message, stack, cause };
}

/** The first line of the stack that names a place in a file. */
function findLocation(stack = ''): string {
  const [, file = '', line = ''] = /\(([^()]*?):(\d+):\d+\)$/m.exec(stack) ?? [];
  return file === '' ? '' : `${file}:${line}`;
}
