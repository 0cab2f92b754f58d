/** A number, or text such as a port's name or a percentage. */
export type IntOrString = number | string;

const percentage = /^([+-]?\d+)%$/;

/** The number of `25%`; undefined when the text is no percentage. */
export function parsePercent(text: string): number | undefined {
  const match = percentage.exec(text);
  return match === null ? undefined : Number(match[1]);
}

/**
 * The number itself, or the percentage of `total`, rounded as asked; undefined for other text
 * (apimachinery refuses it as an invalid value).
 */
export function scaleIntOrString(
  value: IntOrString,
  total: number,
  rounding: 'up' | 'down',
): number | undefined {
  if (typeof value === 'number') return value;
  const percent = parsePercent(value);
  if (percent === undefined) return undefined;
  const scaled = (percent * total) / 100;
  return rounding === 'up' ? Math.ceil(scaled) : Math.floor(scaled);
}
