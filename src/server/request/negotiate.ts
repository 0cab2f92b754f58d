import type { Dialect } from '../../machinery/dialect.ts';
import { notAcceptable } from '../../machinery/errors/index.ts';
import { type MediaRange, parseAccept } from './media-type.ts';

/** How an answer is to be written. */
export interface Representation {
  readonly encoding: 'json' | 'yaml';
  readonly contentType: string;
  /** What objects are turned into; undefined writes them as they are. */
  readonly as?: 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList' | undefined;
  /** Version of the meta group that the form is of; '' without a form. */
  readonly asVersion: string;
}

const forms = new Set(['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList']);
const json: Representation = { encoding: 'json', contentType: 'application/json', asVersion: '' };
const yaml: Representation = { encoding: 'yaml', contentType: 'application/yaml', asVersion: '' };
/** Distinct `Accept` headers that are remembered; clients send few different ones. */
const memoLimit = 500;

/** Chooses representations by `Accept` header, remembering what it decided. */
export class Negotiator {
  readonly #metaGroup: string;
  readonly #accepted: readonly string[];
  readonly #memo = new Map<string, Representation | undefined>();

  constructor(dialect: Dialect, protobufType: string) {
    this.#metaGroup = dialect.group('meta');
    this.#accepted = ['application/json', 'application/yaml', protobufType];
  }

  /** Media types that bodies may have, for messages. */
  get accepted(): readonly string[] {
    return this.#accepted;
  }

  /** @throws StatusError 406 when nothing that the client accepts can be served. */
  choose(accept: string | undefined): Representation {
    if (accept === undefined || accept === '' || accept === '*/*' || accept === 'application/json')
      return json;
    let chosen = this.#memo.get(accept);
    if (chosen === undefined && !this.#memo.has(accept)) {
      chosen = this.#decide(parseAccept(accept));
      if (this.#memo.size >= memoLimit) this.#memo.clear();
      this.#memo.set(accept, chosen);
    }
    if (chosen === undefined) throw notAcceptable(this.#accepted);
    return chosen;
  }

  #decide(ranges: readonly MediaRange[]): Representation | undefined {
    for (const range of ranges) {
      const base = baseOf(range.type);
      if (base === undefined) continue;
      const { as, g: group, v: version } = range.parameters;
      if (as === undefined) return base;
      if (!forms.has(as) || group !== this.#metaGroup || (version !== 'v1' && version !== 'v1beta1'))
        continue;
      return { ...base, as: as as Representation['as'], asVersion: version }; // `forms` holds just these
    }
    return undefined;
  }
}

function baseOf(type: string): Representation | undefined {
  if (type === 'application/json' || type === '*/*' || type === 'application/*') return json;
  return type === 'application/yaml' ? yaml : undefined;
}
