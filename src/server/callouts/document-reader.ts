import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { errorText } from '../../base/index.ts';
import { bearLateErrors, describeDialError, dialTargetOf } from '../../net/dial/index.ts';
import { CalleeAgents } from './callee-agents.ts';
import { CalloutError } from './webhook-caller.ts';

/** How documents are read. */
export interface DocumentReaderOptions {
  /** PEM of the authorities of those who are asked; undefined for those of the machine. */
  readonly authorities: string | undefined;
  /** For each document: connection and answer. */
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

/** Reads documents of others over HTTPS, over kept connections. It follows no redirects. */
export class DocumentReader {
  readonly #options: DocumentReaderOptions;
  readonly #agents = new CalleeAgents();

  constructor(options: DocumentReaderOptions) {
    this.#options = options;
  }

  /** @throws CalloutError for anything but a JSON document in time; RangeError for what is no https URL. */
  async read(address: string): Promise<unknown> {
    const text = await this.readText(address, { accept: 'application/json' });
    try {
      return JSON.parse(text);
    } catch (error) {
      throw new CalloutError(`Get "${address}": ${errorText(error)}`);
    }
  }

  /** @throws CalloutError for anything but an answer of 200 in time; RangeError for what is no https URL. */
  async readText(address: string, headers: Readonly<Record<string, string>>): Promise<string> {
    const url = URL.parse(address);
    if (url?.protocol !== 'https:') throw new RangeError(`${JSON.stringify(address)} is no https URL`);
    const { authorities, timeoutMs } = this.#options;
    const place = dialTargetOf(url);
    const signal = AbortSignal.timeout(timeoutMs);
    let answer: { readonly status: number; readonly text: string };
    try {
      const callee = {
        ...place,
        authority: url.host,
        serverName: place.host,
        authorities,
        locate: undefined,
      };
      answer = await this.#get(url, { agent: this.#agents.of(callee), headers, signal });
    } catch (error) {
      const cause = signal.aborted ? 'context deadline exceeded' : describeDialError(error, place);
      throw new CalloutError(`Get "${address}": ${cause}`);
    }
    if (answer.status !== 200) throw new CalloutError(`Get "${address}": status ${answer.status}`);
    return answer.text;
  }

  /** Ends all connections. */
  close(): void {
    this.#agents.close();
  }

  async #get(
    url: URL,
    {
      agent,
      headers,
      signal,
    }: {
      readonly agent: ReturnType<CalleeAgents['of']>;
      readonly headers: Readonly<Record<string, string>>;
      readonly signal: AbortSignal;
    },
  ): Promise<{ readonly status: number; readonly text: string }> {
    const sent = httpsRequest({
      agent,
      host: url.hostname.replace(/^\[|\]$/g, ''),
      port: Number(url.port || '443'),
      path: url.pathname + url.search,
      headers: { host: url.host, ...headers },
      setHost: false,
      signal,
    });
    bearLateErrors(sent);
    const answered = Promise.withResolvers<IncomingMessage>();
    sent.on('response', answered.resolve);
    sent.on('error', answered.reject);
    sent.end();
    const answer = await answered.promise;
    const chunks: Buffer[] = [];
    let length = 0;
    for await (const chunk of answer) {
      const bytes: Buffer = chunk;
      length += bytes.length;
      if (length > this.#options.maxBytes) throw new Error(`more than ${this.#options.maxBytes} bytes`);
      chunks.push(bytes);
    }
    return { status: answer.statusCode ?? 0, text: Buffer.concat(chunks).toString() };
  }
}
