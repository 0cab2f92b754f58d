/** What a program says of texts that are no values of their options' types: each the end of a sentence. */
export interface ValuePhrases {
  bool(text: string): string;
  integer(fault: IntegerFault): string;
  float(fault: FloatFault): string;
  /** `detail` is what the parser of durations says. */
  duration(text: string, detail: string): string;
  ip(text: string): string;
  /** A quote that encloses no part of a comma list; undefined takes it as a character like others. */
  bareQuote(fault: QuoteFault): string | undefined;
  /** A pair of a map without its separator; `shape` is `string=bool`. */
  lonePart(part: string, shape: string): string;
  /** A pair of a map without a name; undefined takes the empty name. */
  namelessPart(part: string): string | undefined;
  /** A pair whose value is refused with `problem`. */
  mapEntry(entry: { readonly key: string; readonly text: string; readonly problem: string }): string;
}

/** Why a text is no whole number. */
export interface IntegerFault {
  readonly text: string;
  readonly isUnsigned: boolean;
  /** It is a whole number, but none that fits. */
  readonly isOutOfRange: boolean;
}

/** Why a text is no number. */
export interface FloatFault {
  readonly text: string;
  /** It is a number, but beyond all doubles. */
  readonly isOutOfRange: boolean;
}

/** Where a quote of a comma list is out of place. */
export interface QuoteFault {
  /** In bytes, from 1. */
  readonly column: number;
  /** The part begins with a quote, which does not end it. */
  readonly isInQuotes: boolean;
}

/** The phrases of programs of ours. */
export const plainValuePhrases: ValuePhrases = {
  bool: () => 'must be true or false',
  integer: ({ isUnsigned }) =>
    isUnsigned ? 'must be a whole number that is not negative' : 'must be a whole number',
  float: () => 'must be a number',
  duration: () => 'must be a duration with its unit, such as 30s, 5m or 1h',
  ip: () => 'must be an IP address',
  bareQuote: () => undefined,
  lonePart: (part) => `the value of ${part} is missing`,
  namelessPart: (part) => `${JSON.stringify(part)} has no name before the equals sign`,
  mapEntry: ({ key, problem }) => `the value of ${key} ${problem}`,
};
