import {
  type AgentOption,
  agentOptions,
  agentParts,
  deprecationText,
  optionDefaultText,
} from '../src/nodeagent/options/index.ts';
import { agentGates, code, effectText, renderGateTable } from './gate-table.ts';

const intro = `# Options of the node agent

Made from \`src/nodeagent/options/agent-options.json\` and \`gate-effects.json\` beside it by \`scripts/generate-nodeagent.ts\`;
do not edit.

Values count in this order: command line, file of \`--config\` (\`nodeagent.config.orch.io/v1beta1\`, kind
\`NodeAgentConfiguration\`), defaults; feature gates of command line and file are merged. With a file, some defaults are
others: they stand behind "file:". "D" marks deprecated flags; those with a field belong into the file.
\`nodeagent --print-config\` shows what a command line comes to. A wrong configuration ends the agent with code 255.

The column "Effect" says what an option does in this version and which test shows it. Options without effect are read,
checked and shown in \`/configz\`, and nothing acts on them; the column says why.
`;

/** The text of `docs/nodeagent-options.md`, made from the table of options. */
export function renderNodeAgentDocs(): string {
  const sections = Object.entries(agentParts).map(([part, title]) =>
    renderSection(
      title,
      agentOptions.filter((option) => option.part === part),
    ),
  );
  return [intro, ...sections, gateIntro, renderGateTable(agentGates)].join('\n');
}

const gateIntro = `## Feature gates

\`--feature-gates\` knows every gate of the release, those of its other programs too, so that one list serves them all; the
stages are explained in [versions.md](versions.md#feature-gates). The column "Effect" says what a gate switches in this
agent and which test shows it, or why it switches nothing here: such a gate is read, checked and shown. Gates that are
decided are left out where they switch nothing any more.
`;

function renderSection(title: string, options: readonly AgentOption[]): string {
  const rows = options.toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1)).map(renderRow);
  return `## ${title}

| Option | Field | Type | Default | Notes | Effect |
|---|---|---|---|---|---|
${rows.join('\n')}
`;
}

function nameOf({ flag, field }: AgentOption): string {
  return flag === undefined ? (field ?? '') : `--${flag}`;
}

function renderRow(option: AgentOption): string {
  const cells = [
    option.flag === undefined ? '' : code(nameOf(option)),
    option.field === undefined ? '' : code(option.field),
    option.typeText ?? option.type,
    defaults(option),
    notes(option),
    effectText(option),
  ];
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`.replaceAll('|  |', '| |');
}

function defaults(option: AgentOption): string {
  const text = optionDefaultText(option) ?? '';
  const shown = text === '' ? '' : code(text);
  if (option.fileDefault === undefined || option.defaultText !== undefined) return shown;
  return `${shown} file: ${code(String(option.fileDefault))}`.trim();
}

function notes({ stage, deprecated, gate, help, aliasOf }: AgentOption): string {
  const marks = [
    ...(stage === undefined ? [] : [stage]),
    ...(deprecated === undefined
      ? []
      : [deprecated === 'config' ? 'D' : `D: ${deprecationText(deprecated)}`]),
    ...(gate === undefined ? [] : [`gate ${gate}`]),
    ...(aliasOf === undefined ? [] : [`as --${aliasOf}`]),
  ];
  return marks.length === 0 ? help : `${help} (${marks.join('; ')})`;
}
