import { canonicalQuantity, QuantityError } from '../../machinery/values/index.ts';
import { CtlError } from '../errors.ts';

/** Labels as `--labels` has them: `KEY=VALUE,KEY=VALUE`. @throws CtlError as release 1.20 words it */
export function parseLabelSpec(text: string): Record<string, string> {
  const pairs = text.split(',').map((pair) => {
    const [key = '', value, ...rest] = pair.split('=');
    if (value === undefined || rest.length > 0) throw new CtlError(`unexpected label spec: ${pair}`);
    if (key === '') throw new CtlError('unexpected empty label key');
    return [key, value] as const;
  });
  return Object.fromEntries(pairs);
}

/** A number as Go's `strconv.Atoi` reads it. @throws CtlError in its words */
export function parseGoInteger(text: string): number {
  if (/^[+-]?\d+$/.test(text)) return Number(text);
  throw new CtlError(`strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`);
}

/** Quantities as `--hard` and `--limits` have them: `cpu=1,memory=1Gi`. @throws CtlError as release 1.20 words it */
export function parseQuantities(text: string): Record<string, string> {
  return Object.fromEntries(
    text.split(',').map((pair) => {
      const [resource = '', quantity, ...rest] = pair.split('=');
      if (quantity === undefined || rest.length > 0) {
        throw new CtlError(`Invalid argument syntax ${pair}, expected <resource>=<value>`);
      }
      return [resource, readQuantity(quantity)];
    }),
  );
}

function readQuantity(text: string): string {
  try {
    return canonicalQuantity(text);
  } catch (error) {
    if (!(error instanceof QuantityError)) throw error;
    throw new CtlError(error.message, { cause: error });
  }
}
