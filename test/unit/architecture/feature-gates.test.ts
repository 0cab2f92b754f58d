import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { featureGates } from '../../../src/config/serve/index.ts';

const root = join(import.meta.dirname, '../../../src');
/** The agent has gates of its own, and what it does with them is in its own document. */
const elsewhere = /^(?:nodeagent|ctl|client|config\/serve\/feature-gates|machinery\/dialect|apis\/types)/;
/** A gate by its name, where rules and data switch on it. Lists of admission plugins share some of the names. */
const use = /(?:has\(|"gate":\s*|configGate = |^\s*\['\w+', |featureGates\.)['"]?([A-Z]\w+)\b/gm;

function usedGates(): Set<string> {
  const used = new Set<string>();
  for (const entry of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    if (!/\.(?:ts|json)$/.test(entry) || elsewhere.test(entry)) continue;
    for (const [, name = ''] of readFileSync(join(root, entry), 'utf8').matchAll(use)) {
      if (featureGates.has(name)) used.add(name);
    }
  }
  return used;
}

describe('the table of feature gates', () => {
  it('names the effect of just those gates that something here switches on', () => {
    const described = [...featureGates]
      .filter(([, { effect }]) => effect !== undefined)
      .map(([name]) => name);
    expect(described.sort()).to.deep.equal([...usedGates()].sort());
  });

  it('has no effect of a gate that nobody can turn', () => {
    for (const [name, { locked, effect }] of featureGates) {
      if (locked) expect(effect, name).to.equal(undefined);
    }
  });
});
