import { expect } from 'chai';
import { Notifier } from '../../../../src/app/node-agent/notifier.ts';

interface Sounds {
  bell: [times: number];
  horn: [];
}

describe('Notifier', () => {
  it('calls the handler of a notice with what it carries, before it returns', () => {
    const heard: unknown[] = [];
    const notifier = new Notifier<Sounds>();
    notifier.connect({ bell: (times) => heard.push(['bell', times]), horn: () => heard.push('horn') });
    notifier.notify('bell', 3);
    notifier.notify('horn');
    expect(heard).to.deep.equal([['bell', 3], 'horn']);
  });

  it('loses no notice in silence: there is no handler too late, and none twice', () => {
    const notifier = new Notifier<Sounds>();
    expect(() => notifier.notify('bell', 1)).to.throw('notice before anybody listens: bell');
    const handlers = { bell() {}, horn() {} };
    notifier.connect(handlers);
    expect(() => notifier.connect(handlers)).to.throw('connected already');
  });

  it('cannot be connected without one of its handlers', () => {
    const notifier = new Notifier<Sounds>();
    // @ts-expect-error the handler of `horn` is left out
    notifier.connect({ bell() {} });
  });
});
