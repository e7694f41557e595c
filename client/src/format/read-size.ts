const bytesOf: Readonly<Record<string, number>> = {
  b: 1,
  byte: 1,
  bytes: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
};

/** Bytes: `10 GB`, `500mb`. A number alone is refused: of what? */
export function readSize(text: string): number | undefined {
  const found = /^\s*([+-]?)(\d[\d,]*(?:\.\d+)?)\s*([a-z]+)\s*$/i.exec(text);
  const [, sign, number = '', unit = ''] = found ?? [];
  const bytes = bytesOf[unit.toLowerCase()];
  if (!found || bytes === undefined) return undefined;
  const size = Number(number.replaceAll(',', '')) * bytes;
  return sign === '-' ? -size : size;
}
