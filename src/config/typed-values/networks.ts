import { isIpText, parseCidr } from '../../machinery/formats/index.ts';
import { type Parsed, parseList, refuse, type ValuePhrases } from '../values/index.ts';

/** Text of an IPv4 or IPv6 address. */
export function parseIp(text: string, phrases: Pick<ValuePhrases, 'ip'>): Parsed<string> {
  return isIpText(text) ? { value: text } : refuse(phrases.ip(text));
}

/** Networks between commas, each written `address/bits`. */
export function parseCidrs(
  text: string,
  phrases: Pick<ValuePhrases, 'bareQuote'>,
): Parsed<readonly string[]> {
  const parts = parseList(text, phrases);
  if ('problem' in parts) return parts;
  const bad = parts.value.find((part) => parseCidr(part) === undefined);
  return bad === undefined ? parts : refuse(`${JSON.stringify(bad)} must be a network such as 10.0.0.0/24`);
}
