const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

/** A number of bytes for people: `512 B`, `1.5 MiB`. */
export function formatSize(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${units[unit]}`;
}

/** `1 object`, `2 objects`. */
export function countObjects(count: number): string {
  return `${count} object${count === 1 ? '' : 's'}`;
}
