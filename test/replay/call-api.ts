import { request } from 'node:https';

/** Where a server is, and who asks. */
export interface ApiAccess {
  readonly url: string;
  readonly token: string;
}

export interface ApiCall {
  readonly method: string;
  readonly path: string;
  readonly body?: object | undefined;
  readonly contentType?: string;
}

/** Asks an API server and reads the answer whole. */
export function callApi(
  { url, token }: ApiAccess,
  { method, path, body, contentType = 'application/json' }: ApiCall,
): Promise<{ readonly status: number; readonly body: unknown }> {
  return new Promise((resolve, reject) => {
    const text = body === undefined ? '' : JSON.stringify(body);
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': contentType,
      'content-length': Buffer.byteLength(text),
    };
    const outgoing = request(`${url}${path}`, { method, headers, rejectUnauthorized: false }, (answer) => {
      let received = '';
      answer.setEncoding('utf8');
      answer.on('data', (part: string) => {
        received += part;
      });
      answer.on('end', () => {
        resolve({ status: answer.statusCode ?? 0, body: received === '' ? undefined : JSON.parse(received) });
      });
    });
    outgoing.on('error', reject);
    outgoing.end(text);
  });
}
