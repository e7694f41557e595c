import { currentLanguage } from '../words/language.ts';

/** Writes hours with hundredths, so that the sums of a statement add up as they are shown. */
export function writeExactHours(seconds: number): string {
  return (seconds / 3600).toLocaleString(currentLanguage().digits, {
    minimumFractionDigits: 2,
    maximumFractionDigits: 2,
  });
}
