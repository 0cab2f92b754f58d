/** The text of `docs/versions.md`, made of the data that the server uses. */
import {
  type Lifecycle,
  lifecycleOf,
  loadResources,
  loadVersionHistory,
} from '../src/apis/resources/index.ts';
import { type FeatureGate, featureGates } from '../src/config/serve/index.ts';
import { orchDialect } from '../src/machinery/dialect.ts';
import { parseGroupVersion } from '../src/machinery/schema/index.ts';
import { agentGates, stageText } from './gate-table.ts';

const history = loadVersionHistory(orchDialect);
const { groups, resources } = loadResources(orchDialect);
const { release } = history;

/** Kinds of one version whose lives are the same. */
interface Row {
  readonly version: string;
  readonly kinds: readonly string[];
  readonly life: Lifecycle;
}

/** Renders the document. Every version that can be served has its rows, in the order of discovery. */
export function renderVersionDocs(): string {
  return `${[
    '# Versions',
    '<!-- Made by `node scripts/generate-version-docs.ts` from `src/apis/resources/*.json` and the data of feature gates; edit those. -->',
    intro,
    ...table(
      ['Group', 'Version', 'Kinds', 'Stage', 'Since', 'Deprecated', 'Removed', 'Use instead'],
      allRows().map(cellsOf),
    ),
    usage,
    '## What to change',
    ...renderChanges(),
    '## Not served any more',
    ...table(
      ['Version', 'Kinds', 'Removed', 'Use instead'],
      history.gone.map(({ version, kinds, removed, replacement }) => [
        code(version),
        kinds.join(', '),
        removed,
        code(replacement),
      ]),
    ),
    '## Feature gates',
    gateIntro,
    ...table(
      ['Gate', 'Stage', 'Default', 'In the API server', 'In the node agent'],
      [...featureGates].map(gateCells),
    ),
  ].join('\n\n')}\n`;
}

const gateIntro = `\`--feature-gates=Name=true|false\` knows the gates of release ${release}. Stages: alpha, off unless asked for; beta, on unless
switched off; GA, decided: setting one is warned of, and those that are locked can only be set to what they are;
deprecated: warned of, and gone in a later release. \`AllAlpha\` and \`AllBeta\` move all gates of a stage that are not named.
The last two columns say what a gate switches in \`orch serve\` and in \`nodeagent\`, each of which takes gates from its own
command line; [serve-options.md](serve-options.md#feature-gates) and [nodeagent-options.md](nodeagent-options.md#feature-gates)
have the tests and the reasons. Gates that switch nothing are accepted; the server warns of them.`;

const agentEffects = new Map(agentGates.map(({ name, effect }) => [name, effect]));

function gateCells([name, gate]: readonly [string, FeatureGate]): string[] {
  const inAgent = agentEffects.get(name);
  const effects = [gate.effect, inAgent].map((effect) => effect ?? 'nothing');
  return [name, stageText(gate), gate.default ? 'on' : 'off', ...effects];
}

const named = groups
  .flatMap(({ name, namedVersions = [] }) => namedVersions.map((version) => `\`${name}/${version}\``))
  .join(', ');

const intro = `orch serves the API of release ${release}. An object can be read and written in every served version that has its kind, whichever
it was written in. Releases after ${release} are those in which later releases of the reference deprecated or removed a
version: orch serves it, and says nothing. Versions of the stage alpha are off; \`--runtime-config=GROUP/VERSION\` switches
one on, \`--runtime-config=GROUP/VERSION=false\` switches any off. \`api/all\` and \`api/alpha\` stand for all of them but
${named}, which the reference has to be asked for by name too. What a version that is off has stored stays readable in
the others.`;

const usage = `## Finding what still uses a deprecated version

- Every answer of a version that is deprecated in ${release} or before carries a \`Warning\` header, also a refusal, unless
  access was denied. \`ctl\` prints it, once per command; with \`--warnings-as-errors\` it fails. The gate
  \`WarningHeaders=false\` switches the headers off.
- The metric \`apiserver_requested_deprecated_apis\` is 1 for each version, resource and subresource that somebody asked for
  since the server started; its label \`removed_release\` names the end.
- Events of the audit log (\`--audit-log-path\`) have the annotations \`orch.io/deprecated\` and \`orch.io/removed-release\`
  beside who asked, from where and with which program.
- Start the server with \`--runtime-config=GROUP/VERSION=false\` to try what would happen without a version.`;

function allRows(): Row[] {
  return groups.flatMap(({ name, versions }) =>
    versions.flatMap((version) => rowsOf(name === '' ? version : `${name}/${version}`)),
  );
}

function rowsOf(version: string): Row[] {
  const rows = new Map<string, { readonly kinds: string[]; readonly life: Lifecycle }>();
  const kinds = new Set(Object.values(resources[version] ?? {}).map(({ kind }) => kind));
  for (const kind of [...kinds].sort()) {
    const life = lifecycleOf(history, version, kind);
    if (life === undefined) throw new RangeError(`the history does not know ${version} ${kind}`);
    const key = JSON.stringify([life.since, life.deprecated, life.removed, life.replacement]);
    const row = rows.get(key) ?? { kinds: [], life };
    row.kinds.push(kind);
    rows.set(key, row);
  }
  return [...rows.values()].map((row) => ({ version, ...row }));
}

function cellsOf({ version, kinds, life }: Row): string[] {
  const parsed = parseGroupVersion(version);
  return [
    parsed?.group || '(core)',
    parsed?.version ?? '',
    kinds.join(', '),
    stageOf(version),
    life.since,
    life.deprecated ?? '',
    life.removed ?? '',
    describeReplacement(life, kinds),
  ];
}

/** The version to use; whether it has the kinds already, or comes with a later release. */
function describeReplacement({ replacement }: Lifecycle, kinds: readonly string[]): string {
  if (!replacement) return '';
  const [version = ''] = replacement.split(' ');
  const known = new Set(Object.values(resources[version] ?? {}).map(({ kind }) => kind));
  return kinds.every((kind) => known.has(kind)) ? code(version) : `${code(version)}, not in ${release}`;
}

function stageOf(version: string): string {
  return /alpha/.test(version) ? 'alpha' : /beta/.test(version) ? 'beta' : 'stable';
}

function renderChanges(): string[] {
  const known = Object.entries(history.versions).filter(([, { changes }]) => changes !== undefined);
  return [
    `A version that ${release} has a replacement for and that is not here has the same fields as its replacement.`,
    ...known.flatMap(([version, { replacement = '', changes = [] }]) => [
      `### ${code(version)} to ${code(replacement)}`,
      changes.map((change) => `- ${change}`).join('\n'),
    ]),
  ];
}

const code = (text: string): string => `\`${text}\``;

/** A Markdown table as one block. */
function table(head: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) =>
    `|${cells.map((cell) => (cell === '' ? ' |' : ` ${cell} |`)).join('')}`;
  return [[line(head), `|${'---|'.repeat(head.length)}`, ...rows.map(line)].join('\n')];
}
