/** Numbers of a version such as `1.2.0` or `v1`; undefined for what is none. */
function parseVersion(text: string): readonly number[] | undefined {
  const [, numbers] = /^\s*v?([0-9]{1,9}(?:\.[0-9]{1,9}){0,8})/.exec(text) ?? [];
  return numbers?.split('.').map(Number);
}

/** Negative, zero or positive, as the first version is lower than, equal to or higher than the second. */
function compare(one: readonly number[], other: readonly number[]): number {
  for (let index = 0; index < Math.max(one.length, other.length); index += 1) {
    const difference = (one[index] ?? 0) - (other[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

/** Whether a version is lower than another; what is no version is the lowest. */
export const isLowerVersion = (one: string, other: string): boolean =>
  compare(parseVersion(one) ?? [], parseVersion(other) ?? []) < 0;

/**
 * The highest version of the container storage interface that a driver speaks and this agent, too: a `1.x`.
 *
 * @throws Error with release 1.20's message when there is none
 */
export function highestVersion(versions: readonly string[]): string {
  if (versions.length === 0) throw new Error('CSI driver reporting empty array for supported versions');
  let highest: readonly number[] | undefined;
  let problem = '<nil>';
  for (const text of versions.toReversed()) {
    const version = parseVersion(text);
    if (version === undefined) problem = `could not parse "${text}" as version`;
    else if ((version[0] ?? 0) <= 1 && (highest === undefined || compare(highest, version) < 0)) {
      highest = version;
    }
  }
  if (highest === undefined) {
    const list = `[${versions.join(' ')}]`;
    throw new Error(
      `could not find a highest supported version from versions (${list}) reported by this driver: ${problem}`,
    );
  }
  if (highest[0] === 1) return highest.join('.');
  throw new Error(`highest supported version reported by driver is ${highest.join('.')}, must be v1.x`);
}
