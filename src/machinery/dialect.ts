import { spellKubernetes, unspellKubernetes } from './dialect-kubernetes.ts';

/** How one distribution of this API spells its product names (`docs/architecture.md`, decision 1). */
export interface Dialect {
  readonly name: 'orch' | 'kubernetes';
  /**
   * Translates one name or sentence from the spelling of the orch dialect, which all code and data files use.
   * In the orch dialect it is the identity. Memoized by the caller where it is hot.
   */
  spell(text: string): string;
  /** The inverse of `spell`. */
  unspell(text: string): string;
  /** Group with its suffix: `group('networking')` is `networking.orch.io`. */
  group(prefix: string): string;
  /** End of the names of the product's own groups, with its dot: `.orch.io`. */
  readonly groupSuffix: string;
  /** Label, annotation, taint or finalizer of the product's own domain: `label('hostname')`. */
  label(name: string): string;
  /** The same below a subdomain: `domain('node', 'not-ready')` is `node.orch.io/not-ready`. */
  domain(sub: string, name: string): string;
  /** Media type of the binary encoding. */
  readonly protobufMediaType: string;
  /** Annotation in which clients keep what they applied last. */
  readonly lastAppliedAnnotation: string;
  /** Namespaces that the server makes. */
  readonly systemNamespace: string;
  readonly publicNamespace: string;
  readonly nodeLeaseNamespace: string;
  /** Service of the API in the namespace `default`. */
  readonly apiServiceName: string;
  /** ConfigMap with the root certificate in every namespace. */
  readonly rootCaConfigMap: string;
  /** Prefix of extension fields in schemas, with its dash. */
  readonly extensionPrefix: string;
  /** How release 1.20 names its table of types in messages. */
  readonly schemeName: string;
  /** The same for the kinds of a group, of which two have tables of their own. */
  schemeOf(group: string): string;
  /** The scheme that messages on options of requests name. */
  readonly metaSchemeName: string;
  /** The scheme of the clients that call webhooks. */
  readonly webhookSchemeName: string;
}

interface Speller {
  readonly name: Dialect['name'];
  spell(text: string): string;
  unspell(text: string): string;
}

function makeDialect(speller: Speller): Dialect {
  const { name, spell, unspell } = speller;
  const schemeName = spell('orch.io/orch/pkg/api/legacyscheme/scheme.go:30');
  const ownSchemes: Readonly<Record<string, string>> = {
    [spell('apiextensions.orch.io')]: spell('orch.io/apiextensions-apiserver/pkg/apiserver/apiserver.go:52'),
    [spell('apiregistration.orch.io')]: spell('orch.io/orch-aggregator/pkg/apiserver/scheme/scheme.go:32'),
  };
  return Object.freeze({
    name,
    spell,
    unspell,
    group: (prefix: string) => spell(`${prefix}.orch.io`),
    groupSuffix: spell('meta.orch.io').slice('meta'.length),
    label: (label: string) => spell(`orch.io/${label}`),
    domain: (sub: string, label: string) => spell(`${sub}.orch.io/${label}`),
    protobufMediaType: spell('application/vnd.orch.protobuf'),
    lastAppliedAnnotation: spell('ctl.orch.io/last-applied-configuration'),
    systemNamespace: spell('orch-system'),
    publicNamespace: spell('orch-public'),
    nodeLeaseNamespace: spell('orch-node-lease'),
    apiServiceName: spell('orch'),
    rootCaConfigMap: spell('orch-root-ca.crt'),
    extensionPrefix: spell('x-orch-'),
    schemeName,
    schemeOf: (group: string) =>
      (Object.hasOwn(ownSchemes, group) ? ownSchemes[group] : undefined) ?? schemeName,
    metaSchemeName: spell('orch.io/apimachinery/pkg/apis/meta/internalversion/scheme/register.go:27'),
    webhookSchemeName: spell('orch.io/apiserver/pkg/util/webhook/client.go:71'),
  });
}

const identity = (text: string): string => text;

/** The default dialect: names as all code and data files have them. */
export const orchDialect: Dialect = makeDialect({ name: 'orch', spell: identity, unspell: identity });

/** The dialect of that name, chosen once at start. */
export function createDialect(name: Dialect['name']): Dialect {
  if (name === 'orch') return orchDialect;
  return makeDialect({ name, spell: spellKubernetes, unspell: unspellKubernetes });
}

/**
 * Parsed JSON of a data file with all keys and strings spelled as the dialect has them. In the orch dialect
 * it is the value itself. Nothing given is changed.
 */
export function translateData<T>(dialect: Dialect, json: T): T {
  if (dialect.name === 'orch') return json;
  const known = new Map<string, string>();
  const spell = (text: string): string => {
    let spelled = known.get(text);
    if (spelled === undefined) {
      spelled = dialect.spell(text);
      known.set(text, spelled);
    }
    return spelled;
  };
  const translate = (value: unknown): unknown => {
    if (typeof value === 'string') return spell(value);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) return value.map(translate);
    const out: Record<string, unknown> = {};
    for (const key in value) out[spell(key)] = translate((value as Record<string, unknown>)[key]);
    return out;
  };
  // The shape is the same, only texts differ.
  return translate(json) as T;
}
