import { formatAge, formatHumanDuration } from '../printers/human-duration.ts';

/** Columns whose cells say how long ago something was. */
const ageHeadings = new Set(['AGE', 'LAST SEEN', 'FIRST SEEN', 'LAST SCHEDULE']);
/** Columns that are kept free for an age, which gets longer and shorter. */
export const ageWidth = 7;

const unitMs: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  y: 365 * 86_400_000,
};

/** Whether the cells below a heading are ages. */
export const isAgeHeading = (heading: string): boolean => ageHeadings.has(heading);

/**
 * The time that an age is counted from, by this machine's clock. It is that of the object's creation where the server's
 * text says just that; else what the text says, so that the age goes on from there. Undefined for a text that is no age.
 */
export function ageOrigin(text: string, creationTime: unknown, nowMs: number): number | undefined {
  if (typeof creationTime === 'string' && formatAge(creationTime, nowMs) === text && text.length < 9) {
    return Date.parse(creationTime);
  }
  const parts = /^(?:(\d{1,6})([smhdy]))(?:(\d{1,6})([smhdy]))?$/.exec(text);
  if (parts === null) return undefined;
  const [, whole, unit = '', rest = 0, restUnit = ''] = parts;
  return nowMs - Number(whole) * (unitMs[unit] ?? 0) - Number(rest) * (unitMs[restUnit] ?? 0);
}

/** The age as text. */
export const ageText = (originMs: number, nowMs: number): string =>
  formatHumanDuration(Math.max(0, nowMs - originMs));
