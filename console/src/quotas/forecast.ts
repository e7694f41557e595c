const day = 86_400_000;

/**
 * Until when what is left lasts if it goes on being used as in the days before; nothing where little
 * was used, or where it lasts longer than anybody plans.
 */
export function forecastEnd(
  left: number,
  usedInDays: { readonly used: number; readonly days: number },
  now: Date,
): Date | undefined {
  const perDay = usedInDays.used / usedInDays.days;
  if (perDay <= 0) return undefined;
  const days = left / perDay;
  return days > 730 ? undefined : new Date(now.getTime() + days * day);
}
