import { createRestClient, type RestClient } from '../../../src/client/rest/index.ts';

/** A request that the fake got. */
export interface SentRequest {
  readonly method: string;
  readonly path: string;
  readonly contentType: string | undefined;
  readonly body: unknown;
}

/** What the fake answers; an error stands for a server that cannot be reached. */
export type FakeAnswer = { readonly status: number; readonly body?: unknown } | Error;

/** A client whose requests a function answers. */
export function fakeRestClient(
  answer: (request: SentRequest) => FakeAnswer | Promise<FakeAnswer>,
): RestClient {
  return createRestClient({
    connection: { server: 'http://api.test', tls: {}, auth: {} },
    async transport({ method, url, headers, body }) {
      const contentType = headers['content-type'];
      const answered = await answer({
        method,
        path: new URL(url).pathname,
        contentType: Array.isArray(contentType) ? contentType[0] : contentType,
        body: body === undefined ? undefined : JSON.parse(body.toString('utf8')),
      });
      if (answered instanceof Error) throw answered;
      return {
        status: answered.status,
        statusText: '',
        headers: {},
        chunks: (async function* () {
          yield Buffer.from(JSON.stringify(answered.body ?? {}));
        })(),
        close() {},
      };
    },
  });
}

/** A Status body of a refusal. */
export const refusal = (code: number, reason: string): FakeAnswer => ({
  status: code,
  body: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message: reason, reason, code },
});
