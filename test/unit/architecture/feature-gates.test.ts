import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { featureGates } from '../../../src/config/serve/index.ts';

const root = join(import.meta.dirname, '../../../src');
/** The agent has gates of its own, and what it does with them is in its own document. */
const elsewhere = /^(?:nodeagent|ctl|client|config\/serve\/feature-gates|machinery\/dialect|apis\/types)/;
/** A gate by its name, where rules and data switch on it. Lists of admission plugins share some of the names. */
const use =
  /(?:has\(|"gate":\s*|\bgate: |\bgates\.|configGate = |^\s*\['\w+', |featureGates\.)['"]?([A-Z]\w+)\b/gm;

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
      .map(([name]) => name)
      // These are moved before anything asks for them.
      .filter((name) => name !== 'AllAlpha' && name !== 'AllBeta');
    expect(described.sort()).to.deep.equal([...usedGates()].sort());
  });

  it('tells of every gate that can be turned its effect and a test that exists, or why it has none', () => {
    for (const [name, { locked = false, effect, test, noEffect }] of featureGates) {
      const told = [effect, test, noEffect].map(Boolean);
      if (locked) expect(told, name).to.deep.equal([false, false, false]);
      else if (effect === undefined) expect(told, name).to.deep.equal([false, false, true]);
      else expect(told, name).to.deep.equal([true, true, false]);
      if (test !== undefined) expect(existsSync(join(root, '..', test)), test).to.equal(true);
    }
  });
});
