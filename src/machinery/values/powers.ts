const powers: readonly bigint[] = Array.from({ length: 40 }, (_, exponent) => 10n ** BigInt(exponent));

/** Ten to a power that is not negative. */
export function pow10(exponent: number): bigint {
  return powers[exponent] ?? 10n ** BigInt(exponent);
}
