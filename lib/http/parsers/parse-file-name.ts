import { parse } from 'content-disposition';
import type { FieldProblem } from '../errors.ts';
import { decodeHeader } from './decode-header.ts';

const maxLength = 255;

/** `Content-Disposition: attachment; filename=<file.zip>`, in any form that RFC 6266 allows. */
export function parseFileName(
  header: string | undefined,
  problems: FieldProblem[],
): string | undefined {
  const refuse = (message: string) => {
    problems.push({ location: 'header', name: 'Content-Disposition', message });
    return undefined;
  };
  if (header === undefined || header.trim() === '') {
    return refuse('This header is required: attachment; filename=<file.zip>');
  }
  const { type, parameters } = parseDisposition(decodeHeader(header));
  const name = parameters.filename;
  if (type !== 'attachment' || name === undefined || name === '') {
    return refuse('It must be of the form: attachment; filename=<file.zip>');
  }
  const problem = findNameProblem(name);
  return problem === undefined ? name : refuse(problem);
}

/** What is wrong with the name of a zip, wherever it was said. */
export function findNameProblem(name: string): string | undefined {
  if (name.length > maxLength) return `The file name is longer than ${maxLength} characters.`;
  if (!isPlainName(name)) return 'The file name must be a plain name without a path.';
  if (!/[^.]\.zip$/i.test(name)) return 'The file name must end in .zip.';
  return undefined;
}

function parseDisposition(header: string): { type: string; parameters: Record<string, string> } {
  try {
    return parse(header);
  } catch {
    return { type: '', parameters: {} };
  }
}

/** The name ends up in a directory of a supercomputer: no separator of any system, nothing hidden. */
function isPlainName(name: string): boolean {
  return !/[\p{Cc}/\\:]/u.test(name) && !name.startsWith('.') && name.isWellFormed();
}
