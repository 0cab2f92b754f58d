import type { ConvertRequest } from '../../apis/conversions/index.ts';
import { compare, type Difference } from './compare.ts';
import { isStatus } from './loss-notices.ts';
import type { ConversionModel } from './model.ts';
import { type Notice, showValue } from './notice.ts';
import { isBlank } from './tidy.ts';

/** What was converted. */
export interface DefaultCheck {
  readonly model: ConversionModel;
  readonly request: ConvertRequest;
  /** The object as it was written, canonical, without defaults. */
  readonly written: Readonly<Record<string, unknown>>;
  /** The converted object, made explicit by the defaults of its old version. */
  readonly target: Readonly<Record<string, unknown>>;
  /** The status counts. */
  readonly keepsStatus: boolean;
}

/** Names the fields whose defaults the two versions do not share, with what that means for the object. */
export function findChangedDefaults({
  model,
  request,
  written,
  target,
  keepsStatus,
}: DefaultCheck): Notice[] {
  const { from, to } = request;
  const type = model.typeOf(to, request.family.kind);
  const complete = (object: object) => {
    const copy = type.canonicalize(object);
    model.applyDefaults(type.name, copy);
    return copy;
  };
  // As a server would read the manifest if nothing but its version were changed.
  const unaware = complete(model.convert(written, request));
  const isShown = ({ path }: Difference) => keepsStatus || !isStatus(path);
  const explicit = compare(target, unaware)
    .filter((difference) => difference.first !== undefined && isShown(difference))
    // What moved to annotations is told as such.
    .filter(({ path }) => !path.startsWith('metadata.annotations'))
    .map(({ path, first, second }): Notice => {
      const other = isBlank(second) ? `${to} has none` : `that of ${to} is ${showValue(second)}`;
      return {
        level: 'attention',
        path,
        text: `set to ${showValue(first)}, the default of ${from}; ${other}`,
      };
    });
  const added = compare(complete(target), target)
    .filter((difference) => difference.second === undefined && isShown(difference))
    .map(({ path, first }): Notice => {
      const text = `not set; the default of ${to} is ${showValue(first)}, ${from} has none`;
      return { level: 'attention', path, text };
    });
  return [...explicit, ...added];
}
