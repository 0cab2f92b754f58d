const pattern = /^v([1-9]\d*)(?:(alpha|beta)([1-9]\d*))?$/;
const stages = ['alpha', 'beta', ''];

/**
 * Compares names of versions: below zero when the first one is to be preferred. Stable ones come before beta and alpha ones,
 * higher numbers before lower ones; names of another form come last, in alphabetical order. Source: apimachinery,
 * `pkg/version`.
 */
export function compareVersions(first: string, second: string): number {
  const [a, b] = [pattern.exec(first), pattern.exec(second)];
  if (a === null || b === null) {
    if (a !== null) return -1;
    if (b !== null) return 1;
    return first < second ? -1 : first > second ? 1 : 0;
  }
  const [, majorA, stageA = '', minorA = 0] = a;
  const [, majorB, stageB = '', minorB = 0] = b;
  return (
    stages.indexOf(stageB) - stages.indexOf(stageA) ||
    Number(majorB) - Number(majorA) ||
    Number(minorB) - Number(minorA)
  );
}
