import { expect } from 'chai';
import { spellProgram } from '../../../src/config/index.ts';
import { createDialect } from '../../../src/machinery/dialect.ts';

const { spell } = createDialect('kubernetes');
const help = (text: string): string =>
  spellProgram(
    { name: 'x', summary: '', options: [{ name: 'a', type: 'bool', section: '', help: text }] },
    spell,
  ).options[0]?.help ?? '';

describe('spellProgram', () => {
  it('spells product names in flags, their words and what maps know', () => {
    const [option] = spellProgram(
      {
        name: 'nodeagent',
        summary: 'x',
        options: [
          {
            name: 'orch-api-qps',
            type: 'mapStringBool',
            section: '',
            help: 'Labels of orch.io/arch; see --orchconfig.',
            choices: ['DynamicNodeAgentConfig=true|false'],
            deprecated: 'set orchAPIQPS',
          },
        ],
      },
      spell,
    ).options;
    expect(option).to.deep.include({
      name: spell('orch-api-qps'),
      help: `Labels of ${spell('orch.io/arch')}; see ${spell('--orchconfig')}.`,
      choices: [spell('DynamicNodeAgentConfig=true|false')],
      deprecated: `set ${spell('orchAPIQPS')}`,
    });
  });

  for (const text of [
    'By default /var/lib/orch for root, else $XDG_DATA_HOME/orch or ~/.local/share/orch.',
    'It is orch (or ctl).',
    'x --dir=/etc/orch/nodeagent',
  ]) {
    it(`leaves alone: ${text}`, () => {
      expect(help(text)).to.equal(text);
    });
  }

  it('tells a path from a URL and a group', () => {
    for (const text of ['Policy (audit.orch.io/v1, YAML).', 'See https://orch.default.svc.']) {
      expect(help(text)).to.equal(spell(text)).and.not.equal(text);
    }
  });
});
