import { existsSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import { renderAgentOptionTypes } from '../../../scripts/agent-option-types.ts';
import { renderNodeAgentDocs } from '../../../scripts/nodeagent-docs.ts';
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
    const rows = renderNodeAgentDocs()
      .split('\n')
      .filter((line) => line.startsWith('|'));
    expect(rows.length).to.be.greaterThan(agentOptions.length);
    for (const row of rows) expect(row.split(/(?<!\\)\|/), row).to.have.length(8);
  });
});
