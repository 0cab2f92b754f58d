import { ForeignProtocolError, UpgradeError } from '../../client/remote-streams/index.ts';
import { TransportError } from '../../client/rest/index.ts';
import { createDialect, type Dialect } from '../../machinery/dialect.ts';

/**
 * A failure to open streams, with what is likely wrong where names of protocols did not fit: they are spelled by the
 * dialect, and the server's is another.
 */
export function explainStreamFailure(error: unknown, dialect: Dialect): unknown {
  const other = createDialect(dialect.name === 'orch' ? 'kubernetes' : 'orch');
  if (error instanceof ForeignProtocolError) {
    const { offered, chosen } = error;
    if (chosen !== '' && chosen !== other.spell(dialect.unspell(offered))) return error;
    return new TransportError('protocol', `${error.message}; ${hint(other)}`, {
      host: error.host,
      cause: error,
    });
  }
  return error instanceof UpgradeError && isAboutProtocols(error)
    ? new Error(`${error.message}${error.detail === '' ? '' : '; '}${hint(other)}`, { cause: error })
    : error;
}

/** Servers of release 1.20 refuse SPDY with a sentence about protocols, and WebSockets without a word. */
function isAboutProtocols({ detail, status }: UpgradeError): boolean {
  return detail === '' ? status === 403 : /negotiate protocol/.test(detail);
}

function hint({ name }: Dialect): string {
  return `the server likely spells product names otherwise: try --dialect=${name}`;
}
