import data from './dialect-kubernetes.json' with { type: 'json' };

/** What the data says, in the forms in which it is asked for. */
interface Spellings {
  /** Names that the rules below do not give, and all names that the data knows as whole texts. */
  readonly names: ReadonlyMap<string, string>;
  /** `.storageclass.storage.orch.io/requests.storage` and the like: any name may stand before them. */
  readonly suffixes: readonly (readonly [from: string, to: string])[];
  readonly groups: ReadonlyMap<string, string>;
  /** From this dialect's names back to the others. */
  readonly inverse: ReadonlyMap<string, string>;
}

const tables = [
  data.metrics,
  data.flags,
  data.feature_gates,
  data.health_checks,
  data.enum_values,
  data.types,
  data.fields,
  data.media_types,
  data.others,
  data.roles_users,
  data.domains,
  data.groups,
];

let made: Spellings | undefined;

/** Made when first asked for: programs in the other dialect, which start often, never do. */
function spellings(): Spellings {
  made ??= makeSpellings();
  return made;
}

function makeSpellings(): Spellings {
  const names = new Map(tables.flatMap((table) => Object.entries(table)));
  const inverse = new Map<string, string>();
  for (const [from, to] of names) if (!inverse.has(to)) inverse.set(to, from);
  const suffixes = [...names].filter(([from]) => from.startsWith('.'));
  return { names, suffixes, groups: new Map(Object.entries(data.groups)), inverse };
}

/** Anything that could need a change; most texts have none of it. */
const candidate = /orch|nodeagent|legacyrt|\bctl\b/i;
/** A dotted name that ends with the product's domain, and the path behind it. */
const domainName = '(?<![\\w.-])((?:[\\w-]+\\.)*|[.])orch\\.io(?![\\w-]|\\.\\w)((?:/|~1)[\\w.~-]*)?';
const words = [
  'nodeAgent(?=[A-Z])|NodeAgent|nodeagent',
  '\\.orch(?=/)|vnd\\.orch\\.|io\\.orch\\.|x-orch-',
  '(?<![A-Za-z])orch-|(?<![\\w-])orch(?![\\w-])',
  '(?<![A-Za-z])orch(?=[A-Z])|Orch(?=[A-Z])|\\bOrch\\b|(?<![a-z])orchconfig\\b',
  '(?<![A-Za-z])[Oo]rchnet\\b|ORCHCONFIG|ORCH_|Legacyrt|legacyrt|(?<![\\w-])ctl(?![\\w-])',
];
const anyName = new RegExp(`${domainName}|${words.join('|')}`, 'g');

const spelledWords: Readonly<Record<string, string>> = {
  nodeAgent: 'kubelet',
  NodeAgent: 'Kubelet',
  nodeagent: 'kubelet',
  '.orch': '.kube',
  'vnd.orch.': 'vnd.kubernetes.',
  'io.orch.': 'io.k8s.',
  'x-orch-': 'x-kubernetes-',
  'orch-': 'kube-',
  orch: 'kubernetes',
  Orch: 'Kubernetes',
  orchconfig: 'kubeconfig',
  orchnet: 'kubenet',
  Orchnet: 'Kubenet',
  ORCHCONFIG: 'KUBECONFIG',
  ORCH_: 'KUBERNETES_',
  Legacyrt: 'Docker',
  legacyrt: 'docker',
  ctl: 'kubectl',
};

const version = /^(?:\/|~1)v\d+(?:(?:alpha|beta)\d+)?(?![\w-])/;
/** Paths of source code in messages. */
const sourcePath =
  /^\/(?:orch|apimachinery|apiserver|apiextensions-apiserver|orch-aggregator|client-go)(?=\/|$)/;

const sourcePathOf = (path: string): string =>
  path.replace(/^\/orch(?=\/|$)/, '/kubernetes').replace(/^\/orch-/, '/kube-');

/** `prefix` ends with a dot or is empty; `path` starts with a slash or is empty. */
function spellDomain(prefix: string, path: string): string {
  const { names, suffixes, groups } = spellings();
  const host = `${prefix}orch.io`;
  const whole = names.get(host + path);
  if (whole !== undefined) return whole;
  const suffix = suffixes.find(([from]) => (host + path).endsWith(from));
  if (suffix !== undefined) return host.slice(0, -suffix[0].length + path.length) + suffix[1];
  if (prefix === '' && sourcePath.test(path)) return `k8s.io${sourcePathOf(path)}`;
  const isType = path === '' || version.test(path);
  const group = groups.get(host);
  if (group !== undefined && isType) return group + path;
  const known = names.get(host);
  if (known !== undefined && group === undefined) return known + spellWords(path);
  const outer = isType ? groupBehindName(prefix) : undefined;
  if (outer !== undefined) return outer + path;
  return `${spellWords(prefix)}kubernetes.io${spellWords(path)}`;
}

/** `ingresses.networking.orch.io`: a resource, kind or version, then a group. */
function groupBehindName(prefix: string): string | undefined {
  const { groups } = spellings();
  for (let dot = prefix.indexOf('.'); dot >= 0; dot = prefix.indexOf('.', dot + 1)) {
    const group = groups.get(`${prefix.slice(dot + 1)}orch.io`);
    if (group !== undefined) return spellWords(prefix.slice(0, dot + 1)) + group;
  }
  return undefined;
}

const shortBefore = 'legacy ';
const shortAfter = /[A-Z]| [Rr]eserved /y;

/** Whether the word at `offset` is the short form of the product's name. */
function isShort(text: string, offset: number): boolean {
  shortAfter.lastIndex = offset + 'orch'.length;
  return shortAfter.test(text) || text.startsWith(shortBefore, offset - shortBefore.length);
}

function replaceMatch(
  match: string,
  prefix: string | undefined,
  path: string | undefined,
  offset: number,
  text: string,
): string {
  if (prefix !== undefined) return spellDomain(prefix, path ?? '');
  // A name such as orchAPIQPS; alone the word is the product, but for some sentences.
  if ((match === 'orch' || match === 'Orch') && isShort(text, offset))
    return match === 'orch' ? 'kube' : 'Kube';
  return spelledWords[match] ?? match;
}

const spellWords = (text: string): string =>
  spellings().names.get(text) ?? text.replace(anyName, replaceMatch);

/** Spells a name or sentence of the orch dialect as the kubernetes dialect does. */
export function spellKubernetes(text: string): string {
  const whole = spellings().names.get(text);
  if (whole !== undefined) return whole;
  return candidate.test(text) ? text.replace(anyName, replaceMatch) : text;
}

const inverseRules: readonly (readonly [RegExp, string])[] = [
  [/kubectl/g, 'ctl'],
  [/kubelet(?=[A-Z])/g, 'nodeAgent'],
  [/Kubelet/g, 'NodeAgent'],
  [/kubelet/g, 'nodeagent'],
  [/KUBERNETES/g, 'ORCH'],
  [/KUBE/g, 'ORCH'],
  [/Kubernetes/g, 'Orch'],
  [/kubernetes/g, 'orch'],
  [/Kube(?=[A-Z]|net\b)/g, 'Orch'],
  [/kube/g, 'orch'],
  [/(?<!\w)k8s\.io/g, 'orch.io'],
  [/io\.k8s\./g, 'io.orch.'],
  [/docker(?!cfg|configjson)/g, 'legacyrt'],
  [/Docker/g, 'Legacyrt'],
];
const inverseCandidate = /kube|k8s|docker/i;

/** The inverse of `spellKubernetes`. */
export function unspellKubernetes(text: string): string {
  const known = spellings().inverse.get(text);
  if (known !== undefined) return known;
  if (!inverseCandidate.test(text)) return text;
  return inverseRules.reduce((result, [pattern, to]) => result.replace(pattern, to), text);
}
