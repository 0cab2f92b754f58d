import { asJsonObject } from '../../base/index.ts';
import { type Fields, shownText, textOr } from './report.ts';

/** `http-get http://:80/health delay=0s timeout=1s period=10s #success=1 #failure=3` */
export function formatProbe(probe: Fields): string {
  const count = (field: string) => probe[field] ?? 0;
  const times = `delay=${count('initialDelaySeconds')}s timeout=${count('timeoutSeconds')}s period=${count('periodSeconds')}s #success=${count('successThreshold')} #failure=${count('failureThreshold')}`;
  return `${shownText(formatHandler(probe))} ${times}`;
}

function formatHandler(probe: Fields): string {
  const { command } = asJsonObject(probe.exec);
  if (probe.exec !== undefined) return `exec [${Array.isArray(command) ? command.join(' ') : ''}]`;
  if (probe.httpGet !== undefined) {
    const get = asJsonObject(probe.httpGet);
    const host = textOr(get.host, '');
    const path = escapePath(textOr(get.path, ''));
    const slash = path === '' || path.startsWith('/') ? '' : '/';
    return `http-get ${textOr(get.scheme, 'http').toLowerCase()}://${host.includes(':') ? `[${host}]` : host}:${get.port}${slash}${path}`;
  }
  if (probe.tcpSocket === undefined) return 'unknown';
  const socket = asJsonObject(probe.tcpSocket);
  return `tcp-socket ${textOr(socket.host, '')}:${socket.port}`;
}

/** As Go writes paths of URLs: what would end the path is escaped, too. */
function escapePath(path: string): string {
  return encodeURI(path.toWellFormed()).replace(
    /[?#]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}
