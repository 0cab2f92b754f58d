import { readFile } from 'node:fs/promises';
import { asText, fileErrorText, isJsonObject, isStrings } from '../../base/index.ts';
import { type AuthProviderEntry, ClientConfigError } from '../config/index.ts';
import { type Answer, createTransport, type Transport } from '../rest/index.ts';

type Settings = AuthProviderEntry['config'];

const timeoutMs = 30_000;
/** More than a provider has to say. */
const maxAnswerBytes = 1024 * 1024;
/** Of an answer that is none, such as a page for people, so much is shown. */
const shownLength = 80;

/** How the provider is reached. @throws ClientConfigError for an authority that cannot be read */
export async function openProviderClient(settings: Settings): Promise<Transport> {
  const server = settings['idp-issuer-url'] ?? '';
  return createTransport({ server, tls: { ca: await readAuthority(settings) }, auth: {} });
}

async function readAuthority(settings: Settings): Promise<string | Buffer | undefined> {
  const data = settings['idp-certificate-authority-data'];
  const file = settings['idp-certificate-authority'];
  if (data) return Buffer.from(data, 'base64');
  if (!file) return undefined;
  try {
    return await readFile(file);
  } catch (cause) {
    const text = `unable to read idp-certificate-authority ${file}: ${fileErrorText(cause, file)}`;
    throw new ClientConfigError(text, { cause });
  }
}

/** What a provider gives for a refresh token. */
export interface RefreshedTokens {
  readonly idToken: string;
  /** Undefined: the former one goes on counting. */
  readonly refreshToken: string | undefined;
}

/**
 * Exchanges the refresh token at the provider's token endpoint, which its configuration names (OpenID Connect Discovery
 * 1.0, Core 1.0 section 12).
 *
 * @throws TransportError when the provider does not answer, Error for an answer without an ID token
 */
export async function refreshTokens(client: Transport, settings: Settings): Promise<RefreshedTokens> {
  const issuer = (settings['idp-issuer-url'] ?? '').replace(/\/$/, '');
  const { url, takesBasic } = await findTokenEndpoint(client, `${issuer}/.well-known/openid-configuration`);
  const { 'client-id': id = '', 'client-secret': secret = '', 'refresh-token': refreshToken = '' } = settings;
  const isBasic = takesBasic && secret !== '';
  const form = new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken });
  if (!isBasic) form.set('client_id', id);
  if (!isBasic && secret !== '') form.set('client_secret', secret);
  const answer = await client({
    method: 'POST',
    url,
    headers: {
      accept: 'application/json',
      'content-type': 'application/x-www-form-urlencoded',
      ...(isBasic ? { authorization: basic(id, secret) } : {}),
    },
    body: Buffer.from(form.toString(), 'utf8'),
    timeoutMs,
    signal: undefined,
  });
  const text = await readText(answer);
  const tokens = parseObject(text);
  if (answer.status < 200 || answer.status > 299 || tokens === undefined) {
    // Not the whole answer, which may repeat what it was asked with.
    const { error, error_description: description } = tokens ?? {};
    const why = [asText(error), asText(description)].filter((part) => part !== '').map(shorten);
    throw new Error(['failed to refresh token', statusOf(answer), ...why].join(': '));
  }
  const idToken = asText(tokens.id_token);
  if (idToken === '')
    throw new Error(
      `token response did not contain an id_token, either the scope "openid" wasn't requested upon login, or the provider doesn't support id_tokens as part of the refresh response`,
    );
  return { idToken, refreshToken: asText(tokens.refresh_token) || undefined };
}

async function findTokenEndpoint(
  client: Transport,
  url: string,
): Promise<{ readonly url: string; readonly takesBasic: boolean }> {
  const headers = { accept: 'application/json' };
  const answer = await client({ method: 'GET', url, headers, body: undefined, timeoutMs, signal: undefined });
  const text = await readText(answer);
  if (answer.status !== 200) {
    const shown = JSON.stringify(shorten(text));
    throw new Error(`oidc: failed to query metadata endpoint ${statusOf(answer)}: ${shown}`);
  }
  const metadata = parseObject(text);
  if (metadata === undefined)
    throw new Error('oidc: failed to decode provider discovery object: it is no JSON object');
  const endpoint = asText(metadata.token_endpoint);
  if (endpoint === '') throw new Error("oidc: discovery object doesn't contain a token_endpoint");
  // What is sent there is as good as a password.
  if (!URL.canParse(endpoint) || new URL(endpoint).protocol !== new URL(url).protocol)
    throw new Error(`oidc: token_endpoint ${JSON.stringify(endpoint)} is not reached as the issuer is`);
  const methods = metadata.token_endpoint_auth_methods_supported;
  // The method of those who name none.
  return { url: endpoint, takesBasic: !isStrings(methods) || methods.includes('client_secret_basic') };
}

/** RFC 6749, section 2.3.1: both parts are encoded as in a form first. */
function basic(id: string, secret: string): string {
  const encode = (text: string): string => new URLSearchParams({ '': text }).toString().slice(1);
  return `Basic ${Buffer.from(`${encode(id)}:${encode(secret)}`, 'utf8').toString('base64')}`;
}

const statusOf = ({ status, statusText }: Answer): string => `${status} ${statusText}`.trim();
const shorten = (text: string): string =>
  text.length > shownLength ? `${text.slice(0, shownLength)}...` : text;

async function readText({ chunks, close }: Answer): Promise<string> {
  const parts: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    length += chunk.length;
    if (length > maxAnswerBytes) {
      close();
      throw new Error(`oidc: the provider answers with more than ${maxAnswerBytes} bytes`);
    }
    parts.push(chunk);
  }
  return Buffer.concat(parts).toString('utf8');
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined; // the caller says what it is not
  }
}
