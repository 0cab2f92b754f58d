import { ownData } from '../../base/index.ts';
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
  /** The object means something else afterwards. */
  readonly changesMeaning?: boolean | undefined;
}

/** All losses that conversions of valid objects can have, in the names of a dialect. */
export function loadConversionLosses(dialect: Dialect): readonly ConversionLoss[] {
  return translateData(dialect, ownData<readonly ConversionLoss[]>(data.losses));
}

/**
 * Finds why objects of a kind must not go from one version to another and back unseen: what they mean would change.
 * Undefined when they may.
 */
export function createLossFinder(
  dialect: Dialect,
): (kind: string, from: string, to: string) => string | undefined {
  const grave = loadConversionLosses(dialect).filter(({ changesMeaning }) => changesMeaning);
  return (kind, from, to) =>
    grave.find(
      (loss) =>
        loss.kind === kind &&
        ((loss.from.includes(from) && loss.to.includes(to)) ||
          (loss.from.includes(to) && loss.to.includes(from))),
    )?.why;
}
