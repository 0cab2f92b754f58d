import { RuntimeError } from '../runtime/index.ts';

/** Newest version of the interface that this driver knows. */
const newest = '1.47';
/** Oldest version that has all that it needs. */
const oldest = '1.25';

/**
 * The newest version that both sides speak.
 *
 * @throws RuntimeError `unsupported` when there is none
 */
export function chooseVersion(most: string, least: string): string {
  const chosen = compareVersions(most, newest) < 0 ? most : newest;
  if (compareVersions(chosen, oldest) < 0 || compareVersions(chosen, least) < 0) {
    throw new RuntimeError(
      'unsupported',
      `the engine speaks versions ${least} to ${most} of its interface, expected one of ${oldest} to ${newest}`,
    );
  }
  return chosen;
}

/** Below 0 when `one` is older. What is no number counts as 0. */
export function compareVersions(one: string, other: string): number {
  const [a, b] = [one, other].map((text) => text.split('.').map((part) => Number.parseInt(part, 10) || 0));
  return (a?.[0] ?? 0) - (b?.[0] ?? 0) || (a?.[1] ?? 0) - (b?.[1] ?? 0);
}
