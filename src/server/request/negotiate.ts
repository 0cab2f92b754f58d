import type { Dialect } from '../../machinery/dialect.ts';
import { notAcceptable, otherFailure } from '../../machinery/errors/index.ts';
import { type MediaRange, parseAccept } from './media-type.ts';

/** How an answer is to be written. */
export interface Representation {
  readonly encoding: 'json' | 'yaml' | 'protobuf';
  readonly contentType: string;
  /** What objects are turned into; undefined writes them as they are. */
  readonly as?: 'Table' | 'PartialObjectMetadata' | 'PartialObjectMetadataList' | undefined;
  /** Version of the meta group that the form is of; '' without a form. */
  readonly asVersion: string;
  /** Whether the client asked for JSON that people read. */
  readonly isPretty: boolean;
}

/** What an endpoint can do; everything when left out. */
export interface Restrictions {
  /** False for objects without a Protobuf form. Their metadata has one all the same. */
  readonly hasProtobuf?: boolean;
  /** False for answers that are no objects: errors, discovery. */
  readonly hasForms?: boolean;
  /** False for objects without columns: of most subresources, and of resources that store nothing. */
  readonly hasTable?: boolean;
  /** False where no router looks at the types first: errors, lists of groups and of their versions. */
  readonly hasRouter?: boolean;
}

const forms = new Set(['Table', 'PartialObjectMetadata', 'PartialObjectMetadataList']);
const json: Representation = base('json', 'application/json');
const yaml: Representation = base('yaml', 'application/yaml');
/** Distinct `Accept` headers that are remembered; clients send few different ones. */
const memoLimit = 500;

/** Chooses representations by `Accept` header as release 1.20 does, remembering what it decided. */
export class Negotiator {
  readonly #metaGroup: string;
  readonly #accepted: readonly string[];
  readonly #bases: ReadonlyMap<string, Representation>;
  /** What was decided by restrictions and header; an error is kept too. */
  readonly #memos = Array.from({ length: 16 }, () => new Map<string, Representation | Error>());

  constructor(dialect: Dialect, protobufType: string) {
    this.#metaGroup = dialect.group('meta');
    this.#accepted = [json.contentType, yaml.contentType, protobufType];
    this.#bases = new Map([
      [json.contentType, json],
      ['application/*', json],
      ['*/*', json],
      [yaml.contentType, yaml],
      [protobufType, base('protobuf', protobufType)],
    ]);
  }

  /** Media types that bodies may have, for messages. */
  get accepted(): readonly string[] {
    return this.#accepted;
  }

  /** @throws StatusError 406 when nothing that the client accepts can be served. */
  choose(accept: string | undefined, restrictions: Restrictions = {}): Representation {
    if (accept === undefined || accept === '' || accept === '*/*' || accept === 'application/json')
      return json;
    const { hasProtobuf = true, hasForms = true, hasTable = true, hasRouter = true } = restrictions;
    const place = (hasProtobuf ? 1 : 0) + (hasForms ? 2 : 0) + (hasTable ? 4 : 0) + (hasRouter ? 8 : 0);
    const memo = this.#memos[place];
    let chosen = memo?.get(accept);
    if (chosen === undefined) {
      chosen = this.#decide(accept, { hasProtobuf, hasForms, hasTable, hasRouter });
      if (memo !== undefined && memo.size >= memoLimit) memo.clear();
      memo?.set(accept, chosen);
    }
    if (chosen instanceof Error) throw chosen;
    return chosen;
  }

  /**
   * What was chosen, as a watch writes it, which has no form in YAML.
   *
   * @throws StatusError 406
   */
  streamOf(chosen: Representation): Representation {
    if (chosen.encoding === 'json') return chosen;
    const mark = ';stream=watch';
    if (chosen.encoding === 'protobuf') return { ...chosen, contentType: chosen.contentType + mark };
    const streams = this.#accepted.filter((type) => type !== yaml.contentType);
    throw notAcceptable(streams.map((type) => type + mark));
  }

  #decide(accept: string, restrictions: Required<Restrictions>): Representation | Error {
    // Release 1.20's router asks first, and knows neither `application/*` nor `*`; what chooses between the others does.
    if (restrictions.hasRouter && !this.#isRoutable(accept))
      return otherFailure(406, 'NotAcceptable', '406: Not Acceptable', {});
    for (const range of parseAccept(accept)) {
      const found = this.#bases.get(range.type);
      const chosen = found && this.#restrict(range, found, restrictions);
      if (chosen !== undefined) return chosen;
    }
    return notAcceptable(this.#accepted);
  }

  #isRoutable(accept: string): boolean {
    return accept.split(',').some((range) => {
      const type = range.replace(/;.*$/s, '').replace(/^ +| +$/g, '');
      return type === '*/*' || this.#accepted.includes(type);
    });
  }

  /**
   * The representation with the form that the range's parameters ask for; undefined where the endpoint does not offer
   * it.
   */
  #restrict(
    { parameters }: MediaRange,
    found: Representation,
    { hasProtobuf, hasForms, hasTable }: Required<Restrictions>,
  ): Representation | undefined {
    const { as, g: group, v: version, stream = '', sv = '', pretty } = parameters;
    if (stream !== '' && (stream !== 'watch' || found.encoding === 'yaml')) return undefined;
    if (sv !== '' && !(hasForms && sv === 'v1')) return undefined;
    const shown = pretty === '1' && found.encoding === 'json' ? { ...found, isPretty: true } : found;
    if ((as ?? group ?? version) === undefined)
      return hasProtobuf || found.encoding !== 'protobuf' ? shown : undefined;
    if (as === undefined || !hasForms || !forms.has(as) || group !== this.#metaGroup) return undefined;
    if (version !== 'v1' && version !== 'v1beta1') return undefined;
    if (as === 'Table' && (!hasTable || found.encoding === 'protobuf')) return undefined;
    return { ...shown, as: as as Representation['as'], asVersion: version }; // `forms` holds just these
  }
}

function base(encoding: Representation['encoding'], contentType: string): Representation {
  return { encoding, contentType, asVersion: '', isPretty: false };
}
