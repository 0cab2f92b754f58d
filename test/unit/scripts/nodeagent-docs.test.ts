import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { renderAgentOptionTypes } from '../../../scripts/agent-option-types.ts';
import { agentGates } from '../../../scripts/gate-table.ts';
import { renderNodeAgentDocs } from '../../../scripts/nodeagent-docs.ts';
import { featureGates } from '../../../src/config/serve/index.ts';
import { agentOptions, agentParts } from '../../../src/nodeagent/options/index.ts';

const root = new URL('../../../', import.meta.url);
const hint = 'run scripts/generate-nodeagent.ts';

describe('what is made from the table of the agent’s options', () => {
  it('is up to date', () => {
    const types = readFileSync(new URL('src/nodeagent/options/agent-option-values.ts', root), 'utf8');
    expect(types, hint).to.equal(renderAgentOptionTypes());
    expect(readFileSync(new URL('docs/nodeagent-options.md', root), 'utf8'), hint).to.equal(
      renderNodeAgentDocs(),
    );
  });

  it('has every option in a known part, and tests that exist', () => {
    for (const { flag, field, part, test } of agentOptions) {
      expect(agentParts, flag ?? field).to.have.property(part);
      if (test !== undefined) expect(existsSync(new URL(test, root)), test).to.equal(true);
    }
  });

  it('gives every row as many cells as the head has', () => {
    const [options = '', gates = ''] = renderNodeAgentDocs().split('\n## Feature gates\n');
    const rowsOf = (text: string) => text.split('\n').filter((line) => line.startsWith('|'));
    expect(rowsOf(options).length).to.be.greaterThan(agentOptions.length);
    for (const row of rowsOf(options)) expect(row.split(/(?<!\\)\|/), row).to.have.length(8);
    expect(rowsOf(gates)).to.have.length(agentGates.length + 2);
    for (const row of rowsOf(gates)) expect(row.split('|'), row).to.have.length(6);
  });
});

describe('what is told of the gates in the agent', () => {
  it('is told of every gate that is open: effect and test, or the reason why there is none', () => {
    const told = new Set(agentGates.map(({ name }) => name));
    const open = [...featureGates].filter(([, { stage }]) => stage === 'ALPHA' || stage === 'BETA');
    expect(open.map(([name]) => name).filter((name) => !told.has(name))).to.deep.equal([]);
    for (const { name, effect, test, noEffect } of agentGates) {
      expect([effect, test, noEffect].map(Boolean), name).to.deep.equal(
        effect === undefined ? [false, false, true] : [true, true, false],
      );
      if (test !== undefined) expect(existsSync(new URL(test, root)), test).to.equal(true);
    }
  });

  it('is an effect where the agent asks for the gate, and nowhere else', () => {
    const text = [...sourcesBelow('src/nodeagent/'), ...sourcesBelow('src/app/node-agent/'), ...shared]
      .map((path) => readFileSync(new URL(path, root), 'utf8'))
      .join('\n');
    // As a property, as a text, of data, or taken out of all features at once.
    const asked = new Set(
      text.match(/(?<=features\.|has\('|need\(\s*'|"gate": "|const \{[^}=]*?)\b[A-Z]\w+/g),
    );
    for (const { name, effect } of agentGates) {
      if (name === 'AllAlpha' || name === 'AllBeta') continue; // these are asked for where the others are
      expect(asked.has(name), name).to.equal(effect !== undefined);
    }
  });
});

/** Rules of pods by which the agent checks manifests, and kinds of volumes that it leaves to drivers. */
const shared = [
  'src/apis/core/pod-validation.ts',
  'src/apis/core/pod-spec/field-references.ts',
  'src/apis/csi-migration/migrated-kinds.json',
];

function sourcesBelow(folder: string): string[] {
  return readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => folder + name);
}
