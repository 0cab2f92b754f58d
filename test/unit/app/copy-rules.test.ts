import { expect } from 'chai';
import { copyRules } from '../../../src/app/copy-rules.ts';

describe('copyRules', () => {
  const event = '/registry/events/default/e';
  const root = '/registry/';

  it('lets events live for an hour, or as long as they are told to, whole seconds up', () => {
    expect(copyRules({ root, withEvents: true }).ttlSecondsOf(event)).to.equal(3600);
    expect(copyRules({ root, withEvents: true, eventTtlMs: 90_001 }).ttlSecondsOf(event)).to.equal(91);
    expect(copyRules({ root, withEvents: true, eventTtlMs: 0 }).ttlSecondsOf(event)).to.equal(undefined);
  });

  it('lets everything else stay', () => {
    expect(copyRules({ root, withEvents: true }).ttlSecondsOf('/registry/eventsources/a')).to.equal(
      undefined,
    );
  });

  it('leaves behind what is of the servers, and events unless they are asked for', () => {
    const own = ['/registry/masterleases/', '/registry/continuetokens/', '/registry/servertrust/'];
    expect(copyRules({ root, withEvents: true }).skip).to.deep.equal(own);
    expect(copyRules({ root, withEvents: false }).skip).to.include('/registry/events/');
  });
});
