import { isIP } from 'node:net';
import { CtlError } from '../errors.ts';

/** An address to listen on. */
export interface ListenAddress {
  readonly address: string;
  /** One of several of which any will do: those of `localhost`. */
  readonly isOptional: boolean;
}

/** Reads `--address`: `localhost` is both loopback addresses. Sorted, each once. @throws CtlError */
export function parseAddresses(texts: readonly string[]): readonly ListenAddress[] {
  const found = new Map<string, ListenAddress>();
  for (const text of texts) {
    if (text === 'localhost') {
      for (const address of ['127.0.0.1', '::1']) {
        if (!found.has(address)) found.set(address, { address, isOptional: true });
      }
    } else if (isIP(text) !== 0) {
      found.set(text, { address: text, isOptional: false });
    } else {
      throw new CtlError(`${text} is not a valid IP`);
    }
  }
  return [...found.values()].sort((a, b) => (a.address < b.address ? -1 : 1));
}
