import { asText } from '../../base/index.ts';

const decimalExponents: Readonly<Record<string, number>> = {
  ...{ n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 },
};
const binaryExponents: Readonly<Record<string, number>> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };
const maxDigits = 18;

interface Amount {
  readonly value: bigint;
  readonly scale: number;
  readonly format: string;
  /** Whether the text itself is kept: it is known to be canonical. */
  readonly keepsText: boolean;
}

/** A quantity with its fields as parsing leaves them. Source: release 1.20, `ParseQuantity`; amounts beyond 64 bits are not told apart. */
export function dumpQuantity(value: unknown): string {
  const text = asText(value) ?? (typeof value === 'number' ? String(value) : '');
  const { value: number, scale, format, keepsText } = parse(text);
  const amount = `i:(resource.int64Amount){value:(int64)${number} scale:(resource.Scale)${scale}}`;
  const decimal = 'd:(resource.infDecAmount){Dec:(*inf.Dec)<nil>}';
  return `{${amount} ${decimal} s:(string)${keepsText ? text : ''} Format:(resource.Format)${format}}`;
}

function parse(text: string): Amount {
  if (text === '') return { value: 0n, scale: 0, format: '', keepsText: false };
  if (text === '0') return { value: 0n, scale: 0, format: 'DecimalSI', keepsText: true };
  const parts = /^([+-]?)0*(\d*)(?:\.(\d*))?(.*)$/.exec(text);
  const [, sign = '', integer = '', fraction = '', suffix = ''] = parts ?? [];
  const digits = `${integer === '' ? '0' : integer}${fraction}`;
  const number = BigInt(digits);
  const negative = sign === '-' ? -1n : 1n;
  const power = binaryExponents[suffix];
  if (power !== undefined) {
    const isShort = number % 8n !== 0n && fraction === '';
    return { value: negative * (number << BigInt(power)), scale: 0, format: 'BinarySI', keepsText: isShort };
  }
  const known = decimalExponents[suffix];
  const exponent = known ?? Number(/^[eE]([+-]?\d+)$/.exec(suffix)?.[1] ?? 0);
  const scale = exponent - fraction.length;
  const isCanonical = scale % 3 === 0 && !digits.endsWith('000') && !digits.startsWith('0');
  const format = known === undefined ? 'DecimalExponent' : 'DecimalSI';
  return { value: negative * number, scale, format, keepsText: isCanonical && digits.length <= maxDigits };
}

/** A port or amount that is a number or a text. */
export function dumpIntOrString(value: unknown): string {
  const isText = typeof value === 'string';
  const number = typeof value === 'number' ? value : 0;
  return `{Type:(intstr.Type)${isText ? 1 : 0} IntVal:(int32)${number} StrVal:(string)${isText ? value : ''}}`;
}
