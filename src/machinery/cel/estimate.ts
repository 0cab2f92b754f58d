import { type CelType, simpleType, string } from './types.ts';

/** Sizes that nothing bounds: no request is longer. */
export const maxRequestSize = 3 * 1024 * 1024;

/** What a part may cost at most: steps, and the size of its value, as far as schemas say. */
export interface Estimate {
  readonly cost: number;
  readonly size: number;
}

/** Steps of several parts. */
export const totalCost = (parts: readonly Estimate[]): number =>
  parts.reduce((sum, part) => sum + part.cost, 0);

/** Whether values of a type grow when they are put together. */
export function hasSize(type: CelType): boolean {
  return type.kind === 'list' || type.kind === 'map' || type === string || type === simpleType('bytes');
}

/** The most that a value of a type has: letters, items, entries. */
export function sizeOf(type: CelType): number {
  if ('maxSize' in type && type.maxSize !== undefined) return type.maxSize;
  switch (type.kind) {
    case 'list':
    case 'map':
      return maxRequestSize / 4;
    case 'simple':
      return type.name === 'string' || type.name === 'bytes' || type.name === 'dyn' ? maxRequestSize : 1;
    default:
      return 1;
  }
}

/** Functions that look at all of their arguments, and what of them they look at in a step. */
const lookers =
  /^(_\+_|_==_|_!=_|@in|contains|startsWith|endsWith|matches|find|findAll|isSorted|sum|min|max|indexOf|lastIndexOf|split|join|replace|format|lowerAscii|upperAscii|substring|trim|charAt|sets\..*)$/;

/** Steps of a call beside those of its arguments. */
export function callCost(name: string, parts: readonly Estimate[]): number {
  if (!lookers.test(name)) return 0;
  const [first = 1, second = 1] = parts.map(({ size }) => size);
  switch (name) {
    case '_==_':
    case '_!=_':
      return Math.min(first, second) / 10;
    case '@in':
      return second;
    case 'sets.contains':
    case 'sets.equivalent':
    case 'sets.intersects':
      return first * second;
    case 'matches':
    case 'find':
    case 'findAll':
      return (first / 10) * Math.max(1, second / 4);
    case '_+_':
      return (first + second) / 10;
    default:
      return first / 10;
  }
}
