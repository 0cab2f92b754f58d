import { expect } from 'chai';
import { ForeignProtocolError, UpgradeError } from '../../../../src/client/remote-streams/index.ts';
import { formatError } from '../../../../src/ctl/format-error.ts';
import { explainStreamFailure } from '../../../../src/ctl/remote/explain-failure.ts';
import { createDialect, orchDialect } from '../../../../src/machinery/dialect.ts';

const other = createDialect('kubernetes');
const offered = 'v4.channel.orch.io';
const foreign = (chosen: string) => new ForeignProtocolError({ offered, chosen }, 'h:1');
const hintOf = (name: string) => `the server likely spells product names otherwise: try --dialect=${name}`;

describe('explainStreamFailure', () => {
  it('names the flag when the server speaks the protocol of the other dialect', () => {
    const chosen = other.spell(offered);
    expect(formatError(explainStreamFailure(foreign(chosen), orchDialect))).to.equal(
      `Unable to connect to the server: the server speaks ${chosen}, this client ${offered}; ${hintOf('kubernetes')}\n`,
    );
    const back = new ForeignProtocolError({ offered: chosen, chosen: offered }, 'h:1');
    expect(formatError(explainStreamFailure(back, other))).to.include(hintOf('orch'));
  });

  it('names it when a server names no protocol, or refuses those that were offered', () => {
    const sentence = `unable to upgrade: unable to negotiate protocol: client supports [${offered}], server accepts []`;
    for (const error of [foreign(''), new UpgradeError(sentence, 403), new UpgradeError('', 403)]) {
      expect(formatError(explainStreamFailure(error, orchDialect))).to.include(hintOf('kubernetes'));
    }
  });

  it('leaves other failures alone', () => {
    for (const error of [
      foreign('chat'),
      new UpgradeError('no', 403),
      new UpgradeError('', 500),
      new Error('x'),
    ]) {
      expect(explainStreamFailure(error, orchDialect)).to.equal(error);
    }
  });
});
