/** How one distribution of this API spells its product names (`docs/architecture.md`, decision 1). */
export interface Dialect {
  readonly name: 'orch' | 'kubernetes';
  /**
   * Translates one name or sentence from the spelling of the orch dialect, which all code and data files use.
   * In the orch dialect it is the identity. Memoized by the caller where it is hot.
   */
  spell(text: string): string;
  /** The inverse of `spell`. */
  unspell(text: string): string;
  /** Group with its suffix: `group('networking')` is `networking.orch.io`. */
  group(prefix: string): string;
  /** Label, annotation, taint or finalizer of the product's own domain: `label('hostname')`. */
  label(name: string): string;
}
