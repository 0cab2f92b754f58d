/** The text of `docs/serve-options.md`: what flags and gates of the reference do in `orch serve`. */
import reference from '../src/config/serve/reference-flags.json' with { type: 'json' };
import { code, renderGateTable, serverGates } from './gate-table.ts';

const intro = `# Flags and gates of the reference in the API server

Made from \`src/config/serve/reference-flags.json\` and \`feature-gates.json\` beside it by \`scripts/generate-version-docs.ts\`;
do not edit. \`orch serve --help\` and \`man orch-serve\` tell of the flags that have an effect.
`;

const flagIntro = `## Flags without effect

\`orch serve\` knows every flag of the reference. Those below do nothing: the ones that are accepted are warned of when they are
given; the others are refused, unless they only repeat the default, so that nobody relies on them.

| Flag | When given | Why |
|---|---|---|
`;

const gateIntro = `## Feature gates

\`--feature-gates\` knows every gate of the release, those of its other programs too, so that one list serves them all; the
stages are explained in [versions.md](versions.md#feature-gates). The column "Effect" says what a gate switches in the server
and which test shows it, or why it switches nothing here: the server says so at start when such a gate is set to anything
but its default. Gates that are locked are left out.
`;

/** Renders the document. */
export function renderServeDocs(): string {
  const rows = reference.flags
    .filter(({ support }) => support !== 'yes')
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(
      ({ name, support, reason }) =>
        `| ${code(`--${name}`)} | ${support === 'no-effect' ? 'a warning' : 'refused'} | ${reason ?? ''} |\n`,
    );
  return [intro, flagIntro + rows.join(''), gateIntro, renderGateTable(serverGates)].join('\n');
}
