/** List prices in US dollars of us-east-1, without free tiers and discounts, November 2026. */
export const prices = {
  apiRequests: 1.0 / 1e6,
  lambdaRequests: 0.2 / 1e6,
  lambdaGbSeconds: 0.0000133334,
  writeUnits: 0.625 / 1e6,
  readUnits: 0.125 / 1e6,
  tableGbMonths: 0.25,
  recoveryGbMonths: 0.2,
  logGb: 0.5,
  traces: 5.0 / 1e6,
  /** What runs whether anybody calls or not. */
  monthly: {
    key: 1.0,
    secret: 0.4,
    alarmMetric: 0.1,
    dashboard: 3.0,
    customMetric: 0.3,
  },
} as const;
