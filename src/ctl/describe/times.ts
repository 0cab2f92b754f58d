const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** What the client of release 1.20 shows of a time that is not set. */
const zeroTime = 'Mon, 01 Jan 0001 00:00:00 +0000';

/** A time as descriptions show it, in the zone of the machine: `Sat, 21 Nov 2026 10:00:00 +0000`. */
export function formatLocalTime(value: unknown): string {
  const time = new Date(typeof value === 'string' ? value : Number.NaN);
  if (Number.isNaN(time.getTime())) return zeroTime;
  const two = (number: number) => String(number).padStart(2, '0');
  const offset = -time.getTimezoneOffset();
  const zone = `${offset < 0 ? '-' : '+'}${two(Math.trunc(Math.abs(offset) / 60))}${two(Math.abs(offset) % 60)}`;
  const day = `${days[time.getDay()]}, ${two(time.getDate())} ${months[time.getMonth()]} ${time.getFullYear()}`;
  return `${day} ${[time.getHours(), time.getMinutes(), time.getSeconds()].map(two).join(':')} ${zone}`;
}

/** The same as Go prints times that nobody laid out: `2026-11-21 10:00:00 +0000 UTC`. */
export function formatGoTime(value: unknown): string {
  const time = new Date(typeof value === 'string' ? value : Number.NaN);
  if (Number.isNaN(time.getTime())) return '0001-01-01 00:00:00 +0000 UTC';
  const [, day = '', month = '', year = '', clock = '', offset = ''] =
    /, (\d\d) (\w+) (\d+) ([\d:]+) (.*)/.exec(formatLocalTime(value)) ?? [];
  const number = String(months.indexOf(month) + 1).padStart(2, '0');
  return `${year}-${number}-${day} ${clock} ${offset} ${zoneName(time)}`;
}

/** `CET`, `EST`: each locale has names for the zones of its own parts of the world only. */
function zoneName(time: Date): string {
  const names = ['en-GB', 'en-US', 'en-IN', 'en-AU'].map(
    (locale) =>
      new Intl.DateTimeFormat(locale, { timeZoneName: 'short' })
        .formatToParts(time)
        .find(({ type }) => type === 'timeZoneName')?.value ?? '',
  );
  return names.find((name) => /^[A-Z]+$/.test(name)) ?? names[0] ?? '';
}
