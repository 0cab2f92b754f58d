import type { AdmittedRequest, WriteOptions } from '../../registry/index.ts';
import type { Exchange } from '../request/exchange.ts';
import { writeTimeoutMs } from '../request/write-timeout.ts';
import { warningOf } from './deprecation.ts';
import type { HandlerContext } from './endpoint.ts';

/** Options of a request that admission is told. */
interface GivenOptions {
  readonly isDryRun: boolean;
  readonly fieldManager?: string | undefined;
}

/** How the writes of a request are made, and what those who have a say in them may know and do. */
export function writeOptions(
  exchange: Exchange,
  context: Pick<HandlerContext, 'sendsWarnings'>,
  { isDryRun, fieldManager = '' }: GivenOptions,
): WriteOptions {
  const warn = warningOf(exchange, context);
  const request = new ExchangeRequest(exchange, fieldManager, warn);
  return { user: exchange.user, isDryRun, warn, request, turns: exchange.turns };
}

/** More have no room in an answer. */
const maxWarnings = 4096;

/** A class, as getters of literals are defined anew each time; nothing is looked up before somebody asks. */
class ExchangeRequest implements AdmittedRequest {
  readonly fieldManager: string;
  hasAsked = false;
  readonly #exchange: Exchange;
  #warned: Set<string> | undefined;
  readonly #warn: ((text: string) => void) | undefined;

  constructor(exchange: Exchange, fieldManager: string, warn: ((text: string) => void) | undefined) {
    this.#exchange = exchange;
    this.fieldManager = fieldManager;
    this.#warn = warn;
  }

  get signal(): AbortSignal {
    return this.#exchange.signal;
  }

  get deadlineMs(): number {
    const { query, startedAtMs } = this.#exchange;
    return startedAtMs + writeTimeoutMs(query);
  }

  /** Others may warn of very much: what is told twice costs little, and what is beyond all that is sent is dropped. */
  warn(text: string): void {
    this.#warned ??= new Set();
    if (this.#warned.size >= maxWarnings || this.#warned.has(text)) return;
    this.#warned.add(text);
    this.#warn?.(text);
  }

  annotate(key: string, value: string, level: 'Metadata' | 'Request'): void {
    this.#exchange.audit?.noteAnnotation(key, value, level);
  }
}
