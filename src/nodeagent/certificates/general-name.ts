import { isIP } from 'node:net';
import { derValue } from './der.ts';

/** A name for which a certificate is (RFC 5280, section 4.2.1.6): a DNS name, or an address as its bytes. */
export function generalName(host: string): Buffer {
  const family = isIP(host);
  if (family === 0) return derValue(0x82, Buffer.from(host, 'latin1'));
  if (family === 4) return derValue(0x87, Buffer.from(host.split('.').map(Number)));
  return derValue(0x87, ipv6Bytes(host));
}

function ipv6Bytes(address: string): Buffer {
  const text = new URL(`http://[${address}]`).hostname.slice(1, -1); // dotted ends become hexadecimal
  const [before = '', after] = text.split('::');
  const groupsOf = (part: string): number[] =>
    part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16));
  const [first, last] = [groupsOf(before), groupsOf(after ?? '')];
  const gap = new Array<number>(8 - first.length - last.length).fill(0);
  return Buffer.from([...first, ...gap, ...last].flatMap((group) => [group >> 8, group & 0xff]));
}
