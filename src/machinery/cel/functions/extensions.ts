import {
  isDns1035Label,
  isDns1123Label,
  isDns1123Subdomain,
  isLabelValue,
  isQualifiedName,
} from '../../formats/index.ts';
import {
  addQuantities,
  compareQuantities,
  integerQuantity,
  parseQuantity,
  type Quantity,
  QuantityError,
  quantitySign,
  quantityValue,
  subtractQuantities,
} from '../../values/index.ts';
import type { Meter } from '../meter.ts';
import { lettersPerStep } from '../operations.ts';
import { Failure, MadeMap, Opaque, Optional, type Value } from '../values.ts';
import type { Implementation } from './standard.ts';

/** Reading an address, an amount or a URL takes as long as so many steps. */
const stepsOfReading = 15;

/** A function of one text, which is charged for. */
export function ofText(run: (text: string) => Value | Failure): Implementation {
  return ([text], meter) => {
    if (typeof text !== 'string') return undefined;
    meter.charge(stepsOfReading + text.length / lettersPerStep);
    return run(text);
  };
}

function readQuantity(text: string): Quantity | undefined {
  // Longer ones are no amounts of anything, and exact numbers of theirs cost memory.
  if (text.length > 128) return undefined;
  try {
    return parseQuantity(text);
  } catch (error) {
    if (error instanceof QuantityError) return undefined;
    throw error;
  }
}

class QuantityValue extends Opaque {
  override readonly typeName = 'quantity';
  readonly quantity: Quantity;

  constructor(quantity: Quantity) {
    super();
    this.quantity = quantity;
  }

  override equals(other: Opaque): boolean {
    return other instanceof QuantityValue && compareQuantities(this.quantity, other.quantity) === 0;
  }
}

class UrlValue extends Opaque {
  override readonly typeName = 'net.URL';
  readonly text: string;
  readonly url: URL;

  constructor(text: string, url: URL) {
    super();
    this.text = text;
    this.url = url;
  }

  override equals(other: Opaque): boolean {
    return other instanceof UrlValue && other.text === this.text;
  }
}

class FormatValue extends Opaque {
  override readonly typeName = 'format';
  readonly name: string;

  constructor(name: string) {
    super();
    this.name = name;
  }

  override equals(other: Opaque): boolean {
    return other instanceof FormatValue && other.name === this.name;
  }
}

type OfQuantity = (quantity: Quantity, other: Value | undefined) => Value | Failure | undefined;

function ofQuantity(run: OfQuantity): Implementation {
  return ([one, other]) => (one instanceof QuantityValue ? run(one.quantity, other) : undefined);
}

function withOther(run: (one: Quantity, other: Quantity) => Value): Implementation {
  return ofQuantity((quantity, other) => {
    if (typeof other === 'bigint') return run(quantity, integerQuantity(other));
    return other instanceof QuantityValue ? run(quantity, other.quantity) : undefined;
  });
}

const wholeValue = (quantity: Quantity): bigint | undefined => {
  const value = quantityValue(quantity);
  const isExact = compareQuantities(quantity, integerQuantity(value)) === 0;
  return isExact && value >= -(2n ** 63n) && value < 2n ** 63n ? value : undefined;
};

function readUrl(text: string): URL | undefined {
  // As Go's `url.ParseRequestURI` takes them: absolute, or a path.
  if (text.startsWith('/')) return URL.parse(`path:${text}`) ?? undefined;
  return /^[A-Za-z][A-Za-z0-9+.-]*:/.test(text) && !/[\s\\]/.test(text)
    ? (URL.parse(text) ?? undefined)
    : undefined;
}

function ofUrl(run: (parsed: UrlValue, meter: Meter) => Value): Implementation {
  return ([url], meter) => (url instanceof UrlValue ? run(url, meter) : undefined);
}

function queryOf({ url }: UrlValue): Value {
  const made = new MadeMap();
  for (const name of new Set(url.searchParams.keys())) made.add(name, url.searchParams.getAll(name));
  return made;
}

/** The port as it is written: also one that the scheme has anyhow. */
const portOf = ({ text }: UrlValue): string => /^[^/?#]*\/\/[^/?#]*:(\d+)(?:[/?#]|$)/.exec(text)?.[1] ?? '';

const withoutBrackets = (host: string): string => host.replace(/^\[|\]$/g, '');

const checks: Readonly<Record<string, (text: string) => readonly string[]>> = {
  dns1123Label: isDns1123Label,
  dns1123Subdomain: isDns1123Subdomain,
  dns1035Label: isDns1035Label,
  qualifiedName: isQualifiedName,
  dns1123LabelPrefix: (text) => isDns1123Label(text.replace(/-$/, 'a')),
  dns1123SubdomainPrefix: (text) => isDns1123Subdomain(text.replace(/-$/, 'a')),
  dns1035LabelPrefix: (text) => isDns1035Label(text.replace(/-$/, 'a')),
  labelValue: isLabelValue,
};

/** Functions that make quantities, URLs and formats. */
export const extensionFunctions: Readonly<Record<string, Implementation>> = {
  ...Object.fromEntries(Object.keys(checks).map((name) => [`format.${name}`, () => new FormatValue(name)])),
  quantity: ofText((text) => {
    const quantity = readQuantity(text);
    return quantity === undefined
      ? new Failure('quantities must match the regular expression for quantities')
      : new QuantityValue(quantity);
  }),
  isQuantity: ofText((text) => readQuantity(text) !== undefined),
  url: ofText((text) => {
    const url = readUrl(text);
    if (url === undefined)
      return new Failure(`URL parse error during conversion from string: invalid URL ${text}`);
    return new UrlValue(text, url);
  }),
  isURL: ofText((text) => readUrl(text) !== undefined),
  'format.named': ofText((name) => {
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
    return check === undefined ? Optional.none : new Optional(new FormatValue(name));
  }),
};

/** Members of quantities, URLs and formats. */
export const extensionMembers: Readonly<Record<string, Implementation>> = {
  isInteger: ofQuantity((quantity) => wholeValue(quantity) !== undefined),
  asInteger: ofQuantity((quantity) => wholeValue(quantity) ?? new Failure('cannot convert value to integer')),
  asApproximateFloat: ofQuantity((quantity) => Number(quantityValue(quantity, -9)) / 1e9),
  sign: ofQuantity((quantity) => BigInt(quantitySign(quantity))),
  add: withOther((one, other) => new QuantityValue(addQuantities(one, other))),
  sub: withOther((one, other) => new QuantityValue(subtractQuantities(one, other))),
  isLessThan: withOther((one, other) => compareQuantities(one, other) < 0),
  isGreaterThan: withOther((one, other) => compareQuantities(one, other) > 0),
  compareTo: withOther((one, other) => BigInt(Math.sign(compareQuantities(one, other)))),
  getScheme: ofUrl(({ url, text }) => (text.startsWith('/') ? '' : url.protocol.slice(0, -1))),
  getHost: ofUrl((parsed) => parsed.url.hostname + (portOf(parsed) && `:${portOf(parsed)}`)),
  getHostname: ofUrl(({ url }) => withoutBrackets(url.hostname)),
  getPort: ofUrl(portOf),
  getEscapedPath: ofUrl(({ url, text }) =>
    url.pathname === '/' && !/^[^/?#]*\/\/[^/?#]*\//.test(text) && text !== '/' ? '' : url.pathname,
  ),
  getQuery: ofUrl((parsed, meter) => {
    meter.charge(parsed.text.length);
    return queryOf(parsed);
  }),
  validate: ([format, text], meter) => {
    if (!(format instanceof FormatValue) || typeof text !== 'string') return undefined;
    meter.charge(text.length / lettersPerStep);
    const errors = checks[format.name]?.(text) ?? [];
    return errors.length === 0 ? Optional.none : new Optional(errors);
  },
};
