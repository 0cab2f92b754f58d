import { createSecureContext, type SecureContext, type SecureContextOptions } from 'node:tls';

/** How a server presents itself: its certificate, and others for clients that ask for one of these names. */
export interface ServedTls extends SecureContextOptions {
  readonly named?: ReadonlyMap<string, ServedPair>;
}

/** A certificate and its key, PEM. */
export interface ServedPair {
  readonly certificatePem: string;
  readonly privateKeyPem: string;
}

/** The other certificates of a server, ready for handshakes. What they have in common is that of the server. */
export function namedContexts({ named, ...shared }: ServedTls): ReadonlyMap<string, SecureContext> {
  const made = new Map<ServedPair, SecureContext>();
  const contextFor = (pair: ServedPair): SecureContext => {
    const context =
      made.get(pair) ??
      createSecureContext({ ...shared, cert: pair.certificatePem, key: pair.privateKeyPem });
    made.set(pair, context);
    return context;
  };
  return new Map([...(named ?? [])].map(([name, pair]) => [name, contextFor(pair)]));
}

/** The context for a name: its own, or that of `*` and the rest of its labels (Go's `crypto/tls`, `NameToCertificate`). */
export function contextOf<Context>(
  contexts: ReadonlyMap<string, Context>,
  serverName: string,
): Context | undefined {
  const name = serverName.toLowerCase();
  return contexts.get(name) ?? contexts.get(name.replace(/^[^.]*/, '*'));
}
