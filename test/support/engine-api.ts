import { request } from 'node:http';

export interface EngineCall {
  readonly socket: string;
  readonly method: 'GET' | 'POST' | 'DELETE';
  readonly path: string;
  /** A stream with its type. */
  readonly body?: { readonly type: string; readonly stream: NodeJS.ReadableStream };
}

/** Asks an engine and gives its answer as text. @throws Error for an answer that is none of success, or none at all */
export function askEngine({ socket, method, path, body }: EngineCall): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = body === undefined ? {} : { 'Content-Type': body.type };
    const sent = request({ socketPath: socket, method, path, headers, timeout: 60_000 }, (answer) => {
      const chunks: Buffer[] = [];
      answer.on('data', (chunk: Buffer) => chunks.push(chunk));
      answer.once('error', reject);
      answer.once('end', () => {
        const text = Buffer.concat(chunks).toString('utf8');
        if ((answer.statusCode ?? 500) < 400) resolve(text);
        else reject(new Error(`engine: ${method} ${path}: ${answer.statusCode} ${text}`));
      });
    });
    sent.once('error', reject);
    sent.once('timeout', () => sent.destroy(new Error(`engine: ${method} ${path}: no answer`)));
    if (body === undefined) sent.end();
    else body.stream.pipe(sent);
  });
}
