/** Sees every attempt of every request, for `-v` logs. */
export interface RequestTrace {
  onRequest?(request: TracedRequest): void;
  onResponse?(response: TracedResponse): void;
}

/** An attempt that is about to be sent. Secrets in headers are masked. */
export interface TracedRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: Buffer | undefined;
}

/** How an attempt ended. A stream's body is not part of it. */
export interface TracedResponse {
  readonly method: string;
  readonly url: string;
  readonly status: number;
  readonly statusText: string;
  readonly durationMs: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body?: Buffer | undefined;
}

/** Headers safe to print: credentials become `<masked>`. */
export function maskHeaders(
  headers: Readonly<Record<string, string | string[]>>,
): Record<string, string | string[]> {
  const shown = { ...headers };
  const authorization = shown.authorization;
  if (typeof authorization === 'string') {
    shown.authorization = `${authorization.slice(0, authorization.indexOf(' '))} <masked>`;
  }
  return shown;
}
