/** The parts of a group's path as release 1.20's messages show them. */
export const formatParts = (parts: readonly string[]): string =>
  `[${parts.map((part) => JSON.stringify(part)).join(' ')}]`;
