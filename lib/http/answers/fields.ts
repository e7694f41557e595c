import * as v from 'valibot';

export const whole = v.pipe(v.number(), v.integer());
export const count = v.pipe(whole, v.minValue(0));

/** `YYYY-MM-DDThh:mm:ssZ` (interface 2.2). */
export const timestamp = v.pipe(v.string(), v.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/));

export const userId = v.pipe(v.string(), v.regex(/^[0-9]{1,32}$/));
export const systemInCapitals = v.pipe(v.string(), v.regex(/^[A-Z][A-Z0-9_]*$/));

/** Seconds and kilobytes. */
export const Amount = v.strictObject({ time: v.number(), space: v.number() });

/** How much was granted, and where it is now. */
export const balance = (amount: v.GenericSchema<number>) =>
  v.strictObject({ granted: amount, left: amount, held: amount, used: amount });

/** How a system charges time: by the clock, per node, per core, or by weights of the resources. */
export const charging = v.picklist(['wall-clock', 'node', 'core', 'weights']);
