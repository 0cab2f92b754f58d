import { type Dialect, translateData } from '../../machinery/dialect.ts';
import data from './losses.json' with { type: 'json' };

/** Something that does not survive the way from one version to another and back. */
export interface ConversionLoss {
  readonly kind: string;
  /** Versions (`group/version`) that can say it. */
  readonly from: readonly string[];
  /** Versions that cannot. */
  readonly to: readonly string[];
  /** Field that is lost or changed, `[*]` for every item. */
  readonly path: string;
  /** What becomes of it, without a full stop. */
  readonly why: string;
  /** Objects that lose it; all that have the field when left out. */
  readonly when?: string | undefined;
}

/** All losses that conversions of valid objects can have, in the names of a dialect. */
export function loadConversionLosses(dialect: Dialect): readonly ConversionLoss[] {
  return translateData(dialect, data.losses as readonly ConversionLoss[]);
}
