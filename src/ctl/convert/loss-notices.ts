import {
  type ConversionLoss,
  type ConvertRequest,
  loadConversionLosses,
} from '../../apis/conversions/index.ts';
import { compare, join } from './compare.ts';
import type { ConversionModel } from './model.ts';
import { type Notice, showValue } from './notice.ts';

/** What was converted. */
export interface LossCheck {
  readonly model: ConversionModel;
  readonly request: ConvertRequest;
  /** The object before and after the conversion, canonical. */
  readonly source: Readonly<Record<string, unknown>>;
  readonly target: Readonly<Record<string, unknown>>;
  /** The status counts. */
  readonly keepsStatus: boolean;
}

/**
 * What a conversion lost: it is told by converting back. What moved to annotations is named as well, because it does
 * not show where readers look.
 */
export function findLosses({ model, request, source, target, keepsStatus }: LossCheck): Notice[] {
  const { family, from, to } = request;
  const again = model.convert(target, { family, from: to, to: from });
  const known = loadConversionLosses(model.dialect).filter(
    (loss) => loss.kind === family.kind && loss.from.includes(from) && loss.to.includes(to),
  );
  const lost = compare(source, again)
    .filter(({ path, first }) => first !== undefined && (keepsStatus || !isStatus(path)))
    .map(({ path, first, second }): Notice => {
      const reason = known.find((loss) => isWithin(path, loss))?.why;
      const fate = second === undefined ? `${to} cannot say it` : `${to} says ${showValue(second)} instead`;
      return { level: 'attention', path, text: `lost ${showValue(first)}: ${reason ?? fate}` };
    });
  const before = annotationsOf(source);
  const moved = Object.keys(annotationsOf(target))
    .filter((key) => !Object.hasOwn(before, key))
    .map((key): Notice => {
      const text = `keeps what ${to} has no field for`;
      return { level: 'attention', path: join('metadata.annotations', key), text };
    });
  return [...lost, ...moved];
}

/** True for a path that the named loss is about: its field, or one below. */
function isWithin(path: string, loss: ConversionLoss): boolean {
  const general = path.replace(/\[\d+\]/g, '[*]');
  return general === loss.path || general.startsWith(`${loss.path}.`) || general.startsWith(`${loss.path}[`);
}

/** True for a path into the status. */
export function isStatus(path: string): boolean {
  return path === 'status' || path.startsWith('status.');
}

function annotationsOf(object: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { metadata } = object as { metadata?: { annotations?: Record<string, string> } }; // canonical
  return metadata?.annotations ?? {};
}
