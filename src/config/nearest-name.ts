/** The candidate that a typing mistake most likely meant, or `undefined` when none is close. */
export function nearestName(wanted: string, candidates: Iterable<string>): string | undefined {
  if (wanted.length > 100) return undefined;
  let best: string | undefined;
  let bestDistance = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const candidate of candidates) {
    if (Math.abs(candidate.length - wanted.length) >= bestDistance) continue;
    const distance = editDistance(wanted, candidate);
    if (distance < bestDistance) {
      best = candidate;
      bestDistance = distance;
    }
  }
  return best;
}

/** A line to be added to an error about a name that is none of `names`; empty when none is close. */
export function adviceLine(name: string, names: Iterable<string>): string {
  const near = nearestName(name, names);
  return near === undefined ? '' : `\ndid you mean ${near}?`;
}

/** What to say of a word of a command line that is none of `names`: `unknown command srve; did you mean serve?` */
export function describeUnknown(word: string, names: Iterable<string>): string {
  const near = nearestName(word, names);
  const kind = word.startsWith('-') ? 'flag' : 'command';
  return `unknown ${kind} ${word}${near === undefined ? '' : `; did you mean ${near}?`}`;
}

/** Insertions, deletions, substitutions and swaps of neighbours (optimal string alignment). */
function editDistance(left: string, right: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: right.length + 1 }, (_, index) => index);
  for (let i = 1; i <= left.length; i++) {
    const current = [i];
    for (let j = 1; j <= right.length; j++) {
      const same = left[i - 1] === right[j - 1];
      let cost = Math.min(at(previous, j) + 1, at(current, j - 1) + 1, at(previous, j - 1) + (same ? 0 : 1));
      if (i > 1 && j > 1 && left[i - 1] === right[j - 2] && left[i - 2] === right[j - 1]) {
        cost = Math.min(cost, at(beforePrevious, j - 2) + 1);
      }
      current.push(cost);
    }
    beforePrevious = previous;
    previous = current;
  }
  return at(previous, right.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
