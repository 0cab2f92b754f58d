/** What a request says beside its path. */
export interface RawRequest {
  readonly method?: string;
  readonly accept?: string | undefined;
  readonly token?: string | undefined;
  readonly body?: string | undefined;
  readonly contentType?: string | undefined;
}

/** A request as bytes, made once and sent as often as wanted. */
export function encodeRequest(path: string, request: RawRequest = {}): Buffer {
  const {
    method = 'GET',
    accept = 'application/json',
    token,
    body,
    contentType = 'application/json',
  } = request;
  const head = [`${method} ${path} HTTP/1.1`, 'Host: bench', `Accept: ${accept}`];
  if (token !== undefined) head.push(`Authorization: Bearer ${token}`);
  if (body !== undefined) {
    head.push(`Content-Type: ${contentType}`, `Content-Length: ${Buffer.byteLength(body)}`);
  }
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${body ?? ''}`);
}
