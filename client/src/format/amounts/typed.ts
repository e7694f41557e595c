import { phrase } from '../../words/formats.ts';
import { roundNumber, writeNumber } from '../numbers/write-number.ts';
import { readDuration, writeDuration } from '../times/duration.ts';
import { type Charging, readKilobytes, readNodeTime, writeNodeTime, writeSize } from './amounts.ts';
import { readServed } from './memory.ts';

/** Writes a time so that it is read as the same one: as people do, unless that would round it. */
export function writeExactTime(seconds: number, charging: Charging): string {
  const forms = [writeNodeTime(seconds, charging), `${seconds / 3600}`];
  const exact = phrase(`seconds.${charging}`, roundNumber(seconds));
  return forms.find((form) => readNodeTime(form) === seconds) ?? exact;
}

/** Writes kilobytes in the same way. */
export function writeExactSize(kilobytes: number): string {
  const forms = [writeSize(kilobytes * 1000), `${kilobytes / 1e6} GB`];
  const exact = `${writeNumber(kilobytes)} KB`;
  return forms.find((form) => readKilobytes(form) === kilobytes) ?? exact;
}

/** Writes a duration so that it is read as the same one, even if that is less plain. */
export function writeExactDuration(seconds: number): string {
  const forms = [writeDuration(seconds), `${seconds / 3600} h`];
  const exact = phrase('duration.s', { amount: seconds });
  return forms.find((form) => readDuration(form) === seconds) ?? exact;
}

/** Writes memory that the service names exactly, as people can type it. */
export function writeExactMemory(memory: string): string {
  const kilobytes = readServed(memory);
  return kilobytes === undefined ? memory : writeExactSize(kilobytes);
}

/**
 * Names memory that somebody typed in the words of the service: `1.5 GB` for a German `1,5 GB`.
 * What cannot be read stays, and the service says why.
 */
export function nameMemory(typed: string): string {
  const kilobytes = readKilobytes(typed);
  if (kilobytes === undefined || kilobytes === readServed(typed)) return typed;
  return kilobytes < 1e6 ? `${kilobytes / 1e3} MB` : `${kilobytes / 1e6} GB`;
}

/** Names a duration that somebody typed so that commands read it in every language: `150m`. */
export function nameDuration(typed: string): string {
  const text = typed.replaceAll(' ', '');
  const seconds = readDuration(typed);
  if (seconds === undefined || /^((\d+(d|h|min|m|s))+|[\d:]+)$/.test(text)) return text;
  return seconds % 60 === 0 ? `${seconds / 60}m` : `${Math.round(seconds)}s`;
}
