/** A certificate is nothing without its key, nor a key without its certificate. */
export function pairProblems(
  [certificate, key]: readonly [string | undefined, string | undefined],
  [certificateFlag, keyFlag]: readonly [string, string],
): string[] {
  return (certificate === undefined) === (key === undefined)
    ? []
    : [`--${certificateFlag} and --${keyFlag} must be given together`];
}
