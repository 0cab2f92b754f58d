const withoutSpaces = (text: string): string => text.replace(/[\t\n\f\r -]+/g, '');
const digitAt = (digits: string, index: number): number => digits.charCodeAt(index) - 48;

/** True for an ISBN of ten digits, of which the last may be X; spaces and dashes do not count. */
export function isIsbn10(text: string): boolean {
  const digits = withoutSpaces(text);
  if (!/^[0-9]{9}[0-9X]$/.test(digits)) return false;
  let sum = digits.endsWith('X') ? 100 : 10 * digitAt(digits, 9);
  for (let index = 0; index < 9; index++) sum += (index + 1) * digitAt(digits, index);
  return sum % 11 === 0;
}

/** True for an ISBN of thirteen digits; spaces and dashes do not count. */
export function isIsbn13(text: string): boolean {
  const digits = withoutSpaces(text);
  if (!/^[0-9]{13}$/.test(digits)) return false;
  let sum = 0;
  for (let index = 0; index < 12; index++) sum += (index % 2 === 0 ? 1 : 3) * digitAt(digits, index);
  return digitAt(digits, 12) === (10 - (sum % 10)) % 10;
}

const issuers =
  /^(?:4[0-9]{12}(?:[0-9]{3})?|5[1-5][0-9]{14}|(?:222[1-9]|22[3-9][0-9]|2[3-6][0-9]{2}|27[01][0-9]|2720)[0-9]{12}|6(?:011|5[0-9][0-9])[0-9]{12}|3[47][0-9]{13}|3(?:0[0-5]|[68][0-9])[0-9]{11}|(?:2131|1800|35[0-9]{3})[0-9]{11}|6[27][0-9]{14})$/;

/** True for the number of a credit card, with its check digit right; what is no digit does not count. */
export function isCreditCard(text: string): boolean {
  const digits = text.replace(/[^0-9]+/g, '');
  if (!issuers.test(digits)) return false;
  let sum = 0;
  for (let index = digits.length - 1, isDoubled = false; index >= 0; index--, isDoubled = !isDoubled) {
    const digit = digitAt(digits, index) * (isDoubled ? 2 : 1);
    sum += digit >= 10 ? (digit % 10) + 1 : digit;
  }
  return sum % 10 === 0;
}
