import type { TlsOptions } from './connection.ts';

/**
 * Most servers have an authority of their own, and to load the hundred others that the runtime trusts takes a tenth of a command of
 * the client. Its launcher therefore names the store of OpenSSL with this flag, and what is trusted is decided here, when
 * connections are made: the same authorities as without the flag.
 */
const flag = '--use-openssl-ca';

/** Whom connections of this process trust that name no authorities; undefined as long as the runtime has not been told. */
let trusted: 'nobody' | 'usual' | undefined;

/** Lets a connection trust the authorities that it names, or those that the runtime trusts by itself. To be called before it is opened. */
export function chooseAuthorities({ ca, skipsVerification }: TlsOptions): void {
  if (!process.execArgv.includes(flag) || trusted === 'usual') return;
  const wanted = ca === undefined && skipsVerification !== true ? 'usual' : 'nobody';
  if (trusted === wanted) return;
  const tls = process.getBuiltinModule('node:tls');
  const usual = (): string[] => [...tls.getCACertificates('bundled'), ...tls.getCACertificates('extra')];
  // Whoever names authorities is not concerned, but must not wait for others either.
  tls.setDefaultCACertificates(wanted === 'usual' ? usual() : []);
  trusted = wanted;
}
